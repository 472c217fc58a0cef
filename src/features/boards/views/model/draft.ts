import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { findBoardActor } from '../../../identity/members/model/index.ts'
import {
  checkMode,
  MAX_MODES,
  type Scope,
  type Sorting,
} from '../../../search/filters/model/index.ts'
import { findLabels } from '../../labels/model/index.ts'
import { cleanName, type Project } from '../../projects/model/index.ts'
import { findSection, sectionsOf } from '../../sections/model/index.ts'
import { checkFilters } from './filters.ts'
import { MANUAL, type Revision } from './schema.ts'
import type { View } from './store.ts'

export type Definition = Omit<
  View,
  'saved_view_id' | 'view_id' | 'team_id' | 'project_id' | 'owner_id' | 'created_at' | 'updated_at'
>

/** The defaults of a new view. */
export const DEFAULTS: Omit<Definition, 'title'> = {
  visibility: 'Public',
  visible_section_ids: null,
  board_filters: { groups: [] },
  label_ids: [],
  assignee_ids: [],
  match: 'ALL',
  sorting: [MANUAL],
  subtask_setting: 'Flattened',
  display: null,
}

/** The definition of a view after the revision. Everything it names must exist on its board. */
export async function reviseDefinition<D extends Omit<Definition, 'title'>>(
  ctx: Context,
  project: Project,
  before: D,
  revision: Revision,
): Promise<D> {
  const { title, visibility, match, subtask_setting } = revision
  const { visible_section_ids, board_filters, label_names, assignee_ids } = revision
  const scope: Scope = { teams: [project.team_id], project_id: project.project_id }
  if (board_filters) await checkFilters(ctx, scope, board_filters)
  return {
    ...before,
    ...(title !== undefined && { title: cleanName('title', title) }),
    ...(visibility && { visibility }),
    ...(match && { match }),
    ...(subtask_setting && { subtask_setting }),
    ...(board_filters !== undefined && { board_filters: board_filters ?? DEFAULTS.board_filters }),
    ...(visible_section_ids !== undefined && {
      visible_section_ids: await resolveSections(ctx, project, visible_section_ids),
    }),
    ...(label_names && { label_ids: await resolveLabels(ctx, project, label_names) }),
    ...(assignee_ids && { assignee_ids: await resolvePeople(ctx, project, assignee_ids) }),
    sorting: await resolveSorting(ctx, scope, before.sorting, revision),
  }
}

async function resolveSections(ctx: Context, project: Project, ids: number[] | null) {
  if (!ids) return null
  const boardSections = new Set(
    (await sectionsOf(ctx.tx, project)).map(({ section_id }) => section_id),
  )
  for (const [at, section_id] of ids.entries())
    if (!boardSections.has(section_id))
      await findSection(ctx, project, section_id, `visible_section_ids.${at}`)
  return [...new Set(ids)]
}

async function resolveLabels(ctx: Context, project: Project, names: string[]) {
  const found = await findLabels(ctx, project, names, 'label_names')
  return found.map(({ label_id }) => label_id)
}

/** `me` is stored as a word: it stands for the person who opens the view. */
async function resolvePeople(ctx: Context, project: Project, refs: (number | string)[]) {
  const references = new Set<number | string>()
  for (const [at, ref] of refs.entries()) {
    const word = String(ref).trim().toLowerCase()
    if (word === 'me' || word === 'none') references.add(word)
    else {
      const actor = await findBoardActor(ctx, project, ref, `assignee_ids.${at}`)
      references.add(actor.agent_id ?? actor.actor_id)
    }
  }
  return [...references]
}

export type SortingInput = Pick<Revision, 'sorting_mode' | 'sorting_order' | 'sorting_stack'>

/** `sorting_mode` is the mode of the first stack entry; either of the two inputs is enough. */
export async function resolveSorting(
  ctx: Context,
  scope: Scope,
  before: Sorting[],
  { sorting_mode, sorting_order, sorting_stack }: SortingInput,
): Promise<Sorting[]> {
  const stack = sorting_stack?.map(({ mode, order }, at) => ({
    mode,
    order: order ?? (at === 0 ? sorting_order : undefined) ?? MANUAL.order,
  }))
  if (!stack) {
    if (sorting_mode) return [{ mode: sorting_mode, order: sorting_order ?? MANUAL.order }]
    return before.map((sort, at) =>
      at || !sorting_order ? sort : { ...sort, order: sorting_order },
    )
  }
  for (const [at, { mode }] of stack.entries())
    await checkMode(ctx, scope, mode, `sorting_stack.${at}.mode`)
  const full = withFirst(stack, sorting_mode, sorting_order)
  if (full.length > MAX_MODES)
    throw fault.invalid(
      'sorting_stack',
      'too_long',
      `A view can have at most ${MAX_MODES} sorting modes`,
    )
  return full.length ? full : [MANUAL]
}

function withFirst(stack: Sorting[], mode?: string, order?: Sorting['order']): Sorting[] {
  const startsWithMode = mode === undefined || mode === stack[0]?.mode
  const full = startsWithMode ? stack : [{ mode: mode!, order: order ?? MANUAL.order }, ...stack]
  const modes = full.map((sort) => sort.mode)
  const duplicate = modes.findIndex((one, at) => modes.indexOf(one) !== at)
  if (duplicate >= 0)
    throw fault.invalid(
      'sorting_stack',
      'conflict',
      `${modes[duplicate]} is listed twice in the sorting of this view`,
      modes[duplicate],
      'List each mode once; sorting_mode counts as the first',
    )
  if (startsWithMode && order && full[0] && full[0].order !== order)
    throw fault.invalid(
      'sorting_order',
      'conflict',
      'sorting_order contradicts the first entry of sorting_stack',
      order,
      'Set the order in one place only',
    )
  return full
}
