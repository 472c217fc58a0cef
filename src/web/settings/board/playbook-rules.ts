import type { Input, Output } from '../../data/client.ts'

export type Playbook = Output<'projects.get_playbook'>

export const PARTS = ['working_rules', 'definition_of_done', 'notes', 'model_selected'] as const
export type PartName = (typeof PARTS)[number]
/** Each part as a text; the definition of done has a line for each thing that must be so. */
export type Texts = Record<PartName, string>

export const NAMES: Record<PartName, string> = {
  working_rules: 'Working rules',
  definition_of_done: 'Definition of done',
  notes: 'Notes',
  model_selected: 'Model',
}

export const textsOf = (playbook: Playbook): Texts => ({
  working_rules: playbook.working_rules ?? '',
  definition_of_done: playbook.definition_of_done.join('\n'),
  notes: playbook.notes ?? '',
  model_selected: playbook.model_selected ?? '',
})

export const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

export const differing = (a: Texts, b: Texts): PartName[] =>
  PARTS.filter((part) => a[part].trim() !== b[part].trim())

/** What is sent of these parts; an empty one is cleared. */
export function inputOf(
  texts: Texts,
  parts: readonly PartName[],
): Omit<Input<'projects.set_playbook'>, 'project_id' | 'if_version'> {
  return Object.fromEntries(
    parts.map((part) => {
      const text = texts[part].trim()
      if (part === 'definition_of_done') return [part, linesOf(text)]
      return [part, text || null]
    }),
  )
}

/**
 * What one has written put together with what somebody else has meanwhile: what only one of the two
 * changed is as that one has it; of what both did, one's own stays and is named.
 */
export function merged(
  base: Texts,
  mine: Texts,
  theirs: Texts,
): { texts: Texts; both: PartName[] } {
  const texts = { ...mine }
  const both: PartName[] = []
  for (const part of PARTS) {
    const [was, own, other] = [base[part], mine[part], theirs[part]].map((one) => one.trim())
    if (own === was) texts[part] = theirs[part]
    else if (other !== was && other !== own) both.push(part)
  }
  return { texts, both }
}
