import type { Context } from '../../../../kernel/caller.ts'
import type { Playbook } from './schema.ts'
import type { Project } from './store.ts'

export const playbookOf = (project: Project): Playbook => ({
  project_id: project.project_id,
  working_rules: project.working_rules,
  definition_of_done: project.definition_of_done,
  notes: project.notes,
  model_selected: project.model_selected,
  version: project.playbook_version,
})

/**
 * Longer texts are truncated where guidance accompanies another answer; their own operations return
 * them whole.
 */
const EXCERPT_LENGTH = 4000

/** The guidance of a board that accompanies its tasks. It needs the scope `projects:read`. */
export function guidanceOf({ caller }: Pick<Context, 'caller'>, project: Project) {
  if (!caller.scopes.has('projects:read')) return { playbook: null, custom_instruction: null }
  const { working_rules, notes, definition_of_done, ...rest } = playbookOf(project)
  const command = 'svc_projects get_playbook'
  return {
    playbook: {
      ...rest,
      working_rules: excerpt(working_rules, command),
      notes: excerpt(notes, command),
      definition_of_done: excerptLines(definition_of_done, command),
    },
    custom_instruction: excerpt(project.custom_instruction, 'svc_projects get_instructions'),
  }
}

function excerpt(text: string | null, command: string): string | null {
  if (text === null || text.length <= EXCERPT_LENGTH) return text
  const rest = (text.length - EXCERPT_LENGTH).toLocaleString('en')
  return `${text.slice(0, EXCERPT_LENGTH).toWellFormed()}… (${rest} more characters: ${command})`
}

function excerptLines(lines: readonly string[], command: string): string[] {
  let remaining = EXCERPT_LENGTH
  const firstOmitted = lines.findIndex((line) => {
    remaining -= line.length
    return remaining < 0
  })
  return firstOmitted < 0
    ? [...lines]
    : [...lines.slice(0, firstOmitted), `… (${lines.length - firstOmitted} more: ${command})`]
}
