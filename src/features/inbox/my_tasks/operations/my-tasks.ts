import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns } from 'drizzle-orm'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { similarCandidates, similarTasksOf } from '../../../search/search/model/index.ts'
import { addMyTask } from '../model/add.ts'
import { hasManyTasks } from '../model/involvement.ts'
import { listGroups, listMyTasks } from '../model/lists.ts'
import { Added, loadParsers, natural } from '../model/natural/index.ts'
import { draft, Groups, listRequest, MyTask, MyView, revision, ViewId } from '../model/schema.ts'
import { myViews, type View } from '../model/tables.ts'
import { changeView, createView, deleteView, findView, toMyView } from '../model/views.ts'

const VIEWS = '/api/v1/my-tasks/views'

/** Who comments on a task watches it. */
const DEPENDS_ON = [
  ...(['task', 'section', 'label', 'project', 'relation', 'my_view', 'watcher'] as const),
  'comment.created' as const,
]

export const list = operation({
  name: 'my_tasks.list',
  summary: 'Open tasks of yours on all boards, overdue ones first',
  needs: 'tasks:read',
  dependsOn: DEPENDS_ON,
  on: {
    rest: 'GET /api/v1/my-tasks',
    cli: {
      usage: 'my list',
      example: '--grouping board --priority urgent --sorting-mode Title --limit 5',
    },
    chat: true,
  },
  heavy: hasManyTasks,
  input: t.Object({
    ...listRequest,
    ...t.Pick(listInput({}), ['cursor', 'fields', 'limit']).properties,
  }),
  output: listOf(MyTask),
  run: (input, ctx) => listMyTasks(ctx, input),
})

export const groups = operation({
  name: 'my_tasks.groups',
  summary: 'Groups of My Tasks in order, with their task counts',
  needs: 'tasks:read',
  dependsOn: DEPENDS_ON,
  on: {
    rest: 'GET /api/v1/my-tasks/groups',
    cli: { usage: 'my groups', example: '--include-done' },
  },
  heavy: hasManyTasks,
  input: t.Object(listRequest),
  output: Groups,
  run: (input, ctx) => listGroups(ctx, input),
})

export const add = operation({
  name: 'my_tasks.add',
  summary: 'Create a task for yourself on your default board',
  needs: 'tasks:write',
  creates: true,
  on: {
    rest: 'POST /api/v1/my-tasks',
    cli: {
      usage: 'my add <title>',
      example: "'Pay rent every month tomorrow 9am #home !high' --natural",
    },
  },
  input: t.Object({
    title: t.String({ minLength: 1, maxLength: 500 }),
    project_id: t.Optional({
      ...ProjectId,
      description:
        'Default: the board of the view or profile; if none is set, this becomes the default',
    }),
    view_id: t.Optional({ ...ViewId, description: 'My Tasks view whose default board is used' }),
    ...natural,
  }),
  output: Added,
  async prepare({ title, project_id, natural, dry_run }, ask) {
    const parsers = natural ? await loadParsers() : undefined
    if (dry_run || project_id === undefined) return { parsers, candidates: [] }
    return { parsers, candidates: await similarCandidates(ask, { project_id, title }) }
  },
  async run(input, ctx, { parsers, candidates }) {
    const added = await addMyTask(ctx, input, parsers)
    if (!('task_id' in added)) return added
    return { ...added, similar: await similarTasksOf(ctx, added, candidates) }
  },
})

export const views = operation({
  name: 'my_views.list',
  summary: 'Your saved views of My Tasks',
  needs: 'tasks:read',
  dependsOn: ['my_view'],
  on: { rest: `GET ${VIEWS}`, cli: { usage: 'my views', example: '' } },
  input: listInput({}, ['title', 'createdAt', 'updatedAt']),
  output: listOf(MyView),
  async run(input, ctx) {
    const { rows, page } = await pageOf(ctx.tx, input, {
      name: 'my_views',
      from: myViews,
      columns: getTableColumns(myViews),
      where: and(eq(myViews.actor_id, ctx.caller.actor_id), matchesSearch(input, [myViews.title])),
      sorts: {
        title: { key: myViews.title },
        createdAt: { key: myViews.created_at },
        updatedAt: { key: myViews.updated_at },
      },
      id: 'my_view_id',
    })
    return { items: (rows as View[]).map(toMyView), page }
  },
})

export const addView = operation({
  name: 'my_views.create',
  summary: 'Save a view of My Tasks: filters, sorting, grouping, boards, hidden columns',
  needs: 'tasks:write',
  creates: true,
  on: {
    rest: `POST ${VIEWS}`,
    cli: {
      usage: 'my create-view <title>',
      example: 'Bugs --sorting-mode Priority --grouping board',
    },
  },
  input: t.Object(draft),
  output: MyView,
  run: async (input, ctx) => toMyView(await createView(ctx, input)),
})

export const updateView = operation({
  name: 'my_views.update',
  summary: 'Change a view of My Tasks; omitted fields keep their value',
  needs: 'tasks:write',
  on: {
    rest: `PATCH ${VIEWS}/:view_id`,
    cli: { usage: 'my update-view <view_id>', example: 'Mine --title Urgent --show-done' },
  },
  input: t.Object({ view_id: ViewId, ...revision }),
  output: MyView,
  async run({ view_id, ...changes }, ctx) {
    return toMyView(await changeView(ctx, await findView(ctx, view_id, true), changes))
  },
})

export const removeView = operation({
  name: 'my_views.delete',
  summary: 'Delete a view of My Tasks; its tasks are not changed',
  needs: 'tasks:write',
  destroys: true,
  on: {
    rest: `DELETE ${VIEWS}/:view_id`,
    cli: { usage: 'my delete-view <view_id>', example: 'Mine' },
  },
  input: t.Object({ view_id: ViewId }),
  output: t.Object({ view_id: ViewId, title: t.String() }),
  async run(input, ctx) {
    const view = await findView(ctx, input.view_id, true)
    await deleteView(ctx, view)
    return { view_id: view.view_id, title: view.title }
  },
})
