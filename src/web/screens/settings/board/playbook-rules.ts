import type { Input, Output } from '../../../data/client.ts'
import { t } from '../../../messages/t.ts'

export type Playbook = Output<'projects.get_playbook'>

export const PARTS = ['working_rules', 'definition_of_done', 'notes', 'model_selected'] as const
export type PartName = (typeof PARTS)[number]
/** Each part as text; the definition of done has one criterion per line. */
export type Texts = Record<PartName, string>

export const NAMES: Record<PartName, string> = {
  working_rules: t('settings.working_rules'),
  definition_of_done: t('settings.definition_of_done'),
  notes: t('settings.notes'),
  model_selected: t('settings.model'),
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

export const changedParts = (a: Texts, b: Texts): PartName[] =>
  PARTS.filter((part) => a[part].trim() !== b[part].trim())

/** The operation input for these parts; an empty part is cleared. */
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
 * Merges the user's and somebody else's changes. A part that only one side changed is taken from
 * that side. Of a part both changed, the user's text stays and the part is listed in `both`.
 */
export function mergeTexts(
  base: Texts,
  mine: Texts,
  other: Texts,
): { texts: Texts; both: PartName[] } {
  const texts = { ...mine }
  const both: PartName[] = []
  for (const part of PARTS) {
    const [original, ownText, otherText] = [base[part], mine[part], other[part]].map((one) =>
      one.trim(),
    )
    if (ownText === original) texts[part] = other[part]
    else if (otherText !== original && otherText !== ownText) both.push(part)
  }
  return { texts, both }
}
