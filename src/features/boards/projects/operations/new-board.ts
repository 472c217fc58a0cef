import type { Context } from '../../../../kernel/caller.ts'
import { missingScope } from '../../../../kernel/dispatch.ts'
import { Fault, fault } from '../../../../kernel/fault.ts'
import { addToBoard } from '../../../identity/members/model/index.ts'
import { findTeam } from '../../../identity/teams/model/index.ts'
import type { DescriptionInput } from '../../../tasks/descriptions/model/index.ts'
import { createTask } from '../../../tasks/edits/model/index.ts'
import { createLabel, type Label } from '../../labels/model/index.ts'
import { createSection, guessRoles, type Section } from '../../sections/model/index.ts'
import { foldName, insertProject, type Project } from '../model/index.ts'
import type { BoardDraft, StarterTask } from './board-schema.ts'

export interface Board {
  project: Project
  sections: Section[]
  labels: Label[]
  tickets: string[]
}

/**
 * Creates a board with its sections, labels and first tasks. Its creator becomes the first member.
 */
export async function createBoard(
  ctx: Context,
  draft: BoardDraft,
  texts: readonly (DescriptionInput | undefined)[],
): Promise<Board> {
  const { team_id } = await findTeam(ctx, draft.team_id)
  if (ctx.caller.projects)
    throw fault.forbidden(
      'This agent is limited to certain boards and cannot create others',
      "Ask the agent's owner to create the board",
    )
  if (draft.tasks?.length && !ctx.caller.scopes.has('tasks:write'))
    throw missingScope('tasks:write')
  const project = await insertProject(ctx, team_id, draft)
  // An agent sees what its owner sees, so the owner becomes the member.
  await addToBoard(ctx.tx, project, ctx.caller.person_id, ctx.now)
  const roles = guessRoles(draft.sections)
  const sections = await each(draft.sections, 'sections', (section, index) =>
    createSection(ctx, project, { ...section, role: roles[index]! }),
  )
  const labels = await each(draft.labels ?? [], 'labels', (label) =>
    createLabel(ctx, project, label),
  )
  const tickets = await each(draft.tasks ?? [], 'tasks', async (task, index) => {
    const { section_index: _, section_title: __, ...rest } = task
    const section = sectionFor(sections, task)
    const draft = { ...rest, section, described: texts[index] }
    const { task: created } = await createTask(ctx, project, draft)
    return created.ticket_number
  })
  return { project, sections, labels, tickets }
}

/** Creates the entries in order. A fault names the entry that it is about. */
async function each<T, R>(
  entries: readonly T[],
  field: string,
  make: (entry: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  for (const [index, entry] of entries.entries())
    try {
      results.push(await make(entry, index))
    } catch (error) {
      if (!(error instanceof Fault) || !error.details.field) throw error
      const details = { ...error.details, field: `${field}.${index}.${error.details.field}` }
      throw new Fault(error.code, `${field}.${index}: ${error.message}`, details, error.hint)
    }
  return results
}

function sectionFor(sections: readonly Section[], task: StarterTask): Section {
  const { section_index, section_title } = task
  const titles = sections.map(({ title }) => title).join(', ')
  if ((section_index === undefined) === (section_title === undefined))
    throw fault.invalid(
      'section_index',
      section_index === undefined ? 'required' : 'conflict',
      'a starter task needs exactly one of section_index and section_title',
      section_index,
      `The columns are ${titles}`,
    )
  if (section_index !== undefined)
    return (
      sections[section_index] ??
      unknownSection('section_index', 'out_of_range', section_index, titles)
    )
  const requestedTitle = foldName(section_title!)
  return (
    sections.find(({ title }) => foldName(title) === requestedTitle) ??
    unknownSection('section_title', 'not_found', section_title, titles)
  )
}

function unknownSection(
  field: string,
  code: 'out_of_range' | 'not_found',
  value: unknown,
  titles: string,
): never {
  const hint = `The columns are ${titles}; section_index counts from 0`
  throw fault.invalid(field, code, `no column of this board has that ${field}`, value, hint)
}
