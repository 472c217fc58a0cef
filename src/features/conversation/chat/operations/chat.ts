import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { asField } from '../../../../kernel/reference.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { findProject, ProjectId } from '../../../boards/projects/model/index.ts'
import { locateTask } from '../../../tasks/tasks/model/index.ts'
import { messageRecords, threadRecords } from '../model/records.ts'
import { isCall, publicPart } from '../model/rules.ts'
import {
  AllowWrites,
  Call,
  CallId,
  Status,
  TaskRef,
  ThreadId,
  ThreadRecord,
  ThreadRow,
  Title,
} from '../model/schema.ts'
import {
  deleteThreads,
  emitThread,
  endMessage,
  findThread,
  lastAnswer,
  lockThread,
  messagesOf,
  requirePerson,
  setThread,
  type Thread,
} from '../model/store.ts'
import { chatThreads } from '../model/tables.ts'

const ROUTE = '/api/chat/threads'

export const status = operation({
  name: 'chat.status',
  summary: 'Whether a model is configured, and how to configure one',
  needs: 'profile:read',
  dependsOn: [],
  on: { rest: 'GET /api/chat', cli: { usage: 'chat status', example: '' } },
  input: t.Object({}),
  output: Status,
  async run(_, { server }) {
    const { model, unavailable: missing } = server.chat
    if (!model) return { configured: false, provider: null, model: null, hint: missing.hint }
    return { configured: true, ...model }
  },
})

export const taskRef = (task: number | string) =>
  typeof task === 'number' || /^\d+$/.test(task)
    ? { task_id: Number(task) }
    : { ticket_number: task }

export const threads = operation({
  name: 'chat.threads',
  summary: 'Your threads, last used first; optionally of one board or task',
  needs: 'tasks:read',
  dependsOn: ['chat'],
  on: { rest: `GET ${ROUTE}`, cli: { usage: 'chat threads', example: '--project HOM' } },
  input: listInput({ project_id: t.Optional(ProjectId), task: t.Optional(TaskRef) }, [
    'updatedAt',
    'createdAt',
  ]),
  output: listOf(ThreadRow),
  async run({ project_id, task, ...paging }, ctx) {
    requirePerson(ctx)
    const project = project_id === undefined ? undefined : await findProject(ctx, project_id)
    const about =
      task === undefined ? undefined : (await asField('task', locateTask(ctx, taskRef(task)))).task
    const { rows, page } = await pageOf(ctx.tx, paging, {
      name: `threads ${project_id} ${about?.task_id}`,
      from: chatThreads,
      columns: getTableColumns(chatThreads),
      where: and(
        eq(chatThreads.actor_id, ctx.caller.actor_id),
        project && eq(chatThreads.project_id, project.project_id),
        about && eq(chatThreads.task_id, about.task_id),
        matchesSearch(paging, [chatThreads.title]),
      ),
      sorts: {
        updatedAt: { key: chatThreads.updated_at },
        createdAt: { key: chatThreads.created_at },
      },
      id: 'thread_id',
    })
    return { items: await threadRecords(ctx, rows as Thread[]), page }
  },
})

export const thread = operation({
  name: 'chat.thread',
  summary: 'One of your threads with all its messages',
  needs: 'tasks:read',
  dependsOn: ['chat'],
  on: { rest: `GET ${ROUTE}/:thread_id`, cli: { usage: 'chat thread <thread_id>', example: '1' } },
  input: t.Object({ thread_id: ThreadId }),
  output: ThreadRecord,
  async run({ thread_id }, ctx) {
    const found = await findThread(ctx, thread_id)
    const [row] = await threadRecords(ctx, [found])
    const messages = await messageRecords(ctx, found, await messagesOf(ctx.tx, found))
    return { ...row!, messages }
  },
})

export const update = operation({
  name: 'chat.update',
  summary: 'Rename one of your threads, or let it make changes without asking',
  needs: 'tasks:write',
  on: {
    rest: `PATCH ${ROUTE}/:thread_id`,
    cli: { usage: 'chat update <thread_id>', example: "1 --title 'Plans for the week'" },
  },
  input: t.Object({
    thread_id: ThreadId,
    title: t.Optional(Title),
    allow_writes: t.Optional(AllowWrites),
  }),
  output: ThreadRow,
  async run({ thread_id, title, allow_writes }, ctx) {
    const found = await lockThread(ctx, thread_id)
    const set = {
      ...(title !== undefined && { title: title.trim() }),
      ...(allow_writes !== undefined && { allow_writes }),
    }
    const after = Object.keys(set).length ? await setThread(ctx, found, set) : found
    if (after !== found) emitThread(ctx, after)
    return (await threadRecords(ctx, [after]))[0]!
  },
})

export const remove = operation({
  name: 'chat.delete',
  summary: 'Delete one of your threads with all its messages',
  needs: 'tasks:write',
  on: {
    rest: `DELETE ${ROUTE}/:thread_id`,
    cli: { usage: 'chat delete <thread_id>', example: '1' },
  },
  input: t.Object({ thread_id: ThreadId }),
  output: t.Object({ thread_id: ThreadId, title: t.String() }),
  async run({ thread_id }, ctx) {
    const found = await lockThread(ctx, thread_id)
    await deleteThreads(ctx.tx, [thread_id])
    emitThread(ctx, { ...found, state: 'idle' }, 'chat.deleted')
    return { thread_id, title: found.title }
  },
})

export const stop = operation({
  name: 'chat.stop',
  summary: 'Stop the current answer; what it has written and done stays',
  needs: 'tasks:write',
  on: {
    rest: `POST ${ROUTE}/:thread_id/stop`,
    cli: { usage: 'chat stop <thread_id>', example: '1' },
  },
  input: t.Object({ thread_id: ThreadId }),
  output: t.Object({ thread_id: ThreadId, stopped: t.Boolean() }),
  async run({ thread_id }, ctx) {
    const found = await lockThread(ctx, thread_id)
    const last = found.state === 'idle' ? undefined : await lastAnswer(ctx.tx, found)
    if (!last) return { thread_id, stopped: false }
    await endMessage(ctx, last, { state: 'stopped' })
    emitThread(ctx, await setThread(ctx, found, { state: 'idle', busy_until: null }))
    return { thread_id, stopped: true }
  },
})

/** `prepare` undoes the call first, by an operation of its own; see there. */
export const undo = operation({
  name: 'chat.undo',
  summary: 'Undo a call in one of your threads',
  needs: 'tasks:write',
  on: {
    rest: `POST ${ROUTE}/:thread_id/undo`,
    cli: { usage: 'chat undo <thread_id> <tool_call_id>', example: '1 call_1' },
  },
  input: t.Object({ thread_id: ThreadId, tool_call_id: CallId }),
  output: t.Object({ call: Call }),
  prepare: ({ thread_id, tool_call_id }, { caller, server }) =>
    server.chat.undo(caller, thread_id, tool_call_id),
  async run({ thread_id, tool_call_id }, ctx, isNew) {
    if (!isNew)
      throw fault.conflict(
        'This was already undone',
        { field: 'tool_call_id', value: tool_call_id },
        'Check the current state, and write in the chat what you want',
      )
    const found = await lockThread(ctx, thread_id)
    emitThread(ctx, found)
    return { call: await callIn(ctx, found, tool_call_id) }
  },
})

async function callIn({ tx }: Context, found: Thread, call_id: string): Promise<Call> {
  for (const { parts } of (await messagesOf(tx, found)).reverse())
    for (const part of parts)
      if (isCall(part) && part.call_id === call_id) return publicPart(part) as Call
  throw callNotFound(call_id)
}

export const callNotFound = (call_id: string) =>
  fault.notFound(
    'tool_call_id',
    `There is no call ${call_id} in this thread`,
    call_id,
    'GET /api/chat/threads/{id} shows them, each with its call_id',
  )
