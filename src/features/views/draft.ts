import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { findLabels } from '../labels/index.ts'
import { findBoardActor } from '../members/index.ts'
import { nameOf, type Project } from '../projects/index.ts'
import { findSection, sectionsOf } from '../sections/index.ts'
import { checkMode, MOST_MODES, type Scope, type Sorting } from '../tasks/index.ts'
import { checkFilters } from './filters.ts'
import { MANUAL, type Revision } from './schema.ts'
import type { View } from './store.ts'

export type Definition = Omit<
  View,
  'saved_view_id' | 'view_id' | 'team_id' | 'project_id' | 'owner_id' | 'created_at' | 'updated_at'
>

/** What a view is that was told nothing. */
export const EMPTY: Omit<Definition, 'title'> = {
  visibility: 'Public',
  visible_section_ids: null,
  board_filters: { groups: [] },
  label_ids: [],
  assignee_ids: [],
  match: 'ALL',
  sorting: [MANUAL],
  subtask_setting: 'Flattened',
}

/** A view as it will be. What it names must be there, on its own board. */
export async function revised<D extends Omit<Definition, 'title'>>(
  ctx: Context,
  project: Project,
  before: D,
  given: Revision,
): Promise<D> {
  const { title, visibility, match, subtask_setting } = given
  const { visible_section_ids, board_filters, label_names, assignee_ids } = given
  const scope: Scope = { teams: [project.team_id], project_id: project.project_id }
  if (board_filters) await checkFilters(ctx, scope, board_filters)
  return {
    ...before,
    ...(title !== undefined && { title: nameOf('title', title) }),
    ...(visibility && { visibility }),
    ...(match && { match }),
    ...(subtask_setting && { subtask_setting }),
    ...(board_filters !== undefined && { board_filters: board_filters ?? EMPTY.board_filters }),
    ...(visible_section_ids !== undefined && {
      visible_section_ids: await columnsIn(ctx, project, visible_section_ids),
    }),
    ...(label_names && { label_ids: await labelsIn(ctx, project, label_names) }),
    ...(assignee_ids && { assignee_ids: await peopleIn(ctx, project, assignee_ids) }),
    sorting: await sortingIn(ctx, scope, before.sorting, given),
  }
}

async function columnsIn(ctx: Context, project: Project, ids: number[] | null) {
  if (!ids) return null
  const own = new Set((await sectionsOf(ctx.tx, project)).map(({ section_id }) => section_id))
  for (const [at, section_id] of ids.entries())
    if (!own.has(section_id))
      await findSection(ctx, project, section_id, `visible_section_ids.${at}`)
  return [...new Set(ids)]
}

async function labelsIn(ctx: Context, project: Project, names: string[]) {
  const found = await findLabels(ctx, project, names, 'label_names')
  return found.map(({ label_id }) => label_id)
}

/** `me` stays a word: it is whoever looks through the view. */
async function peopleIn(ctx: Context, project: Project, refs: (number | string)[]) {
  const kept = new Set<number | string>()
  for (const [at, ref] of refs.entries()) {
    const word = String(ref).trim().toLowerCase()
    if (word === 'me' || word === 'none') kept.add(word)
    else {
      const actor = await findBoardActor(ctx, project, ref, `assignee_ids.${at}`)
      kept.add(actor.agent_id ?? actor.actor_id)
    }
  }
  return [...kept]
}

export type SortingAsked = Pick<Revision, 'sorting_mode' | 'sorting_order' | 'sorting_stack'>

/** `sorting_mode` is the first of the stack; one of the two is enough. */
export async function sortingIn(
  ctx: Context,
  scope: Scope,
  before: Sorting[],
  { sorting_mode, sorting_order, sorting_stack }: SortingAsked,
): Promise<Sorting[]> {
  const stack = sorting_stack?.map(({ mode, order }, at) => ({
    mode,
    order: order ?? (at === 0 ? sorting_order : undefined) ?? MANUAL.order,
  }))
  if (!stack) {
    if (sorting_mode) return [{ mode: sorting_mode, order: sorting_order ?? MANUAL.order }]
    return before.map((one, at) => (at || !sorting_order ? one : { ...one, order: sorting_order }))
  }
  for (const [at, { mode }] of stack.entries())
    await checkMode(ctx, scope, mode, `sorting_stack.${at}.mode`)
  const full = withFirst(stack, sorting_mode, sorting_order)
  if (full.length > MOST_MODES)
    throw fault.invalid('sorting_stack', 'too_long', `At most ${MOST_MODES} modes sort a view`)
  return full.length ? full : [MANUAL]
}

function withFirst(stack: Sorting[], mode?: string, order?: Sorting['order']): Sorting[] {
  const isLed = mode === undefined || mode === stack[0]?.mode
  const full = isLed ? stack : [{ mode: mode!, order: order ?? MANUAL.order }, ...stack]
  const modes = full.map((one) => one.mode)
  const twice = modes.findIndex((one, at) => modes.indexOf(one) !== at)
  if (twice >= 0)
    throw fault.invalid(
      'sorting_stack',
      'conflict',
      `${modes[twice]} stands twice in the order of this view`,
      modes[twice],
      'Give each mode once; sorting_mode is the first of them',
    )
  if (isLed && order && full[0] && full[0].order !== order)
    throw fault.invalid(
      'sorting_order',
      'conflict',
      'sorting_order and the first entry of sorting_stack disagree',
      order,
      'Give the order in one place',
    )
  return full
}
