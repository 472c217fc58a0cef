import type { operations } from '../../../../src/features/tasks/tasks/operations/index.ts'
import {
  BOARD,
  boardId,
  logoId,
  logoTicket,
  type SamplesOf,
} from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

const recipients = new WeakMap<World['addMember'], Promise<string>>()

/** A member who is none of the callers, because nobody can hand a task over to themselves. */
function recipientIn({ team_id, addMember }: World): Promise<string> {
  const added =
    recipients.get(addMember) ??
    addMember(team_id, 'Dora', 'member').then(({ caller }) => String(caller.actor_id))
  recipients.set(addMember, added)
  return added
}

export const samples: SamplesOf<typeof operations> = {
  'tasks.list': { input: boardId, allowed: [...BOARD, 'reading key'] },
  'tasks.get': {
    input: logoTicket,
    furtherInputs: [(w) => ({ task_id: w.tasks.domain.task_id })],
    allowed: [...BOARD, 'reading key'],
    unset: {
      'is set by another credential or another order of requests than the samples use': [
        'lease.owner_id',
      ],
    },
  },
  'tasks.duplicates': { input: boardId, allowed: [...BOARD, 'reading key'] },
  'tasks.create': {
    input: (w) => ({ ...boardId(w), title: 'Paint the fence', priority: 'High', labels: ['bug'] }),
    allowed: BOARD,
    approval: 'never',
    unset: {
      'is set by another credential or another order of requests than the samples use': [
        'content_type',
        'next_occurrence',
        'similar',
        'similar[].ticket_number',
        'similar[].title',
        'similar[].score',
        'similar[].done',
      ],
    },
    referenceNeeds: {
      'mentions[].user_id': { description: 'Look' },
      'mentions[].agent_id': { description: 'Look' },
    },
  },
  'tasks.update': {
    input: (w) => ({ ...logoId(w), title: 'Draw a better logo' }),
    furtherInputs: [(w) => ({ ...logoId(w), section_id: w.sections.Done })],
    allowed: BOARD,
    approval: { asksFor: { status: 'Deleted' }, notFor: { status: 'Archive' } },
    lease: 'required',
    referenceNeeds: {
      'mentions[].user_id': { description: 'Look' },
      'mentions[].agent_id': { description: 'Look' },
    },
  },
  'tasks.create_many': {
    input: (w) => ({
      ...boardId(w),
      tasks: [
        { title: 'Paint the fence', assignees: ['Cleo'] },
        { title: 'Buy paint', parent: 0 },
      ],
    }),
    allowed: BOARD,
    approval: 'never',
    unset: {
      'is set by another credential or another order of requests than the samples use': [
        '[].next_occurrence',
        '[].refused',
        '[].refused.error',
        '[].refused.message',
        '[].refused.details',
        '[].refused.hint',
      ],
    },
    equivalent: ({ board: { project_id } }) => [
      { project_id, tasks: [{ title: 'Paint', labels: ['bug'], priority: 'High' }] },
      'tasks.create',
      { project_id, title: 'Paint', labels: ['bug'], priority: 'High' },
    ],
  },
  'tasks.update_many': {
    input: (w) => ({
      ticket_numbers: [w.tasks.copy.ticket_number, w.tasks.logo.ticket_number],
      priority: 'Low',
      add_labels: ['bug'],
    }),
    allowed: BOARD,
    approval: { asksFor: { status: 'Deleted' }, notFor: { priority: 1 } },
    lease: 'required',
    referenceNeeds: {
      'labels[]': { add_labels: undefined },
      project_id: { add_labels: undefined },
    },
  },
  'tasks.add_label': {
    input: ({ tasks }) => ({ ticket_numbers: [tasks.logo.ticket_number], label: 'bug' }),
    allowed: BOARD,
    approval: 'never',
    lease: 'required',
    equivalent: ({ tasks: { copy } }) => [
      { ticket_numbers: [copy.ticket_number], label: 'bug' },
      'tasks.update_many',
      { task_ids: [copy.task_id], add_labels: ['bug'] },
    ],
  },
  'tasks.remove_label': {
    input: ({ tasks }) => ({ ticket_numbers: [tasks.logo.ticket_number], label: 'ui' }),
    allowed: BOARD,
    approval: 'never',
    lease: 'required',
    equivalent: ({ tasks: { logo } }) => [
      { ticket_numbers: [logo.ticket_number], label: 'ui' },
      'tasks.update_many',
      { task_ids: [logo.task_id], remove_labels: ['ui'] },
    ],
  },
  'tasks.move': {
    input: (w) => ({
      ...logoId(w),
      target_project_id: w.board.project_id,
      target_section_id: w.sections.Done,
    }),
    allowed: BOARD,
    approval: 'never',
    lease: 'required',
  },
  'tasks.assign': {
    input: (w) => ({ ...logoId(w), user_id: w.ada.caller.actor_id }),
    allowed: BOARD,
    approval: 'never',
    lease: 'required',
    notInChat: 'use tasks_assign_to and tasks_unassign instead',
  },
  'tasks.assign_to': {
    input: ({ tasks }) => ({
      ticket_numbers: [tasks.logo.ticket_number],
      assignees: ['Ada'],
    }),
    allowed: BOARD,
    approval: 'never',
    lease: 'required',
    equivalent: ({ tasks: { copy }, ben }) => [
      { ticket_numbers: [copy.ticket_number], assignees: ['Ben'] },
      'tasks.assign',
      { task_id: copy.task_id, user_id: ben.caller.actor_id },
    ],
  },
  'tasks.unassign': {
    input: ({ tasks }) => ({
      ticket_numbers: [tasks.logo.ticket_number],
      assignees: ['Cleo'],
    }),
    allowed: BOARD,
    approval: 'never',
    lease: 'required',
    equivalent: ({ tasks: { logo }, cleo }) => [
      { ticket_numbers: [logo.ticket_number], assignees: ['Cleo'] },
      'tasks.assign',
      { task_id: logo.task_id, user_id: cleo.caller.actor_id, intent: 'unassign' },
    ],
  },
  'tasks.hand_over': {
    input: async (w) => ({
      ...logoId(w),
      to: await recipientIn(w),
      note: 'The sketch is done; please choose a colour.',
    }),
    allowed: BOARD,
    approval: 'never',
    lease: 'required',
    unset: {
      'is set by another credential or another order of requests than the samples use': [
        'next_occurrence',
      ],
    },
  },
  'tasks.set_start_date': {
    input: (w) => ({ taskId: w.tasks.logo.task_id, startDate: '2026-11-25' }),
    allowed: BOARD,
    approval: 'never',
    lease: 'required',
    noCommand: 'cork tasks update has --start-date',
  },
  'tasks.set_recurrence': {
    input: (w) => ({ taskId: w.tasks.logo.task_id, recurrence: 'Weekly' }),
    allowed: BOARD,
    approval: 'never',
    lease: 'required',
    noCommand: 'cork tasks update has --recurrence',
  },
  'tasks.snooze': {
    input: (w) => ({ ...logoId(w), until: '2026-12-24' }),
    allowed: BOARD,
    approval: 'never',
    lease: 'required',
  },
  'tasks.place': {
    input: (w) => ({
      ...logoId(w),
      section_id: w.sections.Next,
      above_task_id: w.tasks.copy.task_id,
    }),
    allowed: BOARD,
    approval: 'never',
    lease: 'required',
    noReferences: {
      above_task_id: 'a neighbour that left the column is a conflict for every caller',
    },
  },
  'tasks.update_each': {
    input: (w) => ({
      changes: [
        { ...logoId(w), title: 'Redraw the logo', assignees: [w.cleo.caller.actor_id] },
        { task_id: w.tasks.copy.task_id, priority: 2 },
      ],
    }),
    allowed: BOARD,
    approval: 'never',
    lease: 'required',
    noCommand: 'cork tasks update changes one task at a time; only the app pastes tables',
  },
  'tasks.tree': {
    input: logoTicket,
    allowed: [...BOARD, 'reading key'],
  },
  'tasks.versions': {
    input: logoTicket,
    furtherInputs: [
      async (w) => {
        await w.ada['tasks.update']({ ...logoId(w), description: '<p>In one.</p>' })
        return logoId(w)
      },
    ],
    allowed: [...BOARD, 'reading key'],
    unset: {
      'is only there when it is named in fields, or when a text is truncated': [
        'items[].description',
      ],
    },
  },
  'tasks.restore': {
    input: async ({ ada, tasks: { logo } }) => {
      const { ticket_number } = logo
      await ada['tasks.update']({ ticket_number, description: '<p>In one.</p>' })
      const { items } = await ada['tasks.versions']({ ticket_number })
      return { ticket_number, version_id: items.at(-1)!.version_id }
    },
    allowed: BOARD,
    approval: 'never',
    lease: 'required',
  },
  'tasks.next': {
    input: boardId,
    furtherInputs: [
      (w) => ({ ...boardId(w), assignee: 'any', exclude_blocked: false, limit: 1 }),
      (w) => ({ ...boardId(w), role: 'intake', assignee: 'any' }),
    ],
    allowed: [...BOARD, 'reading key'],
    unset: {
      'is only there when it is named in fields, or when a text is truncated': [
        'items[].description',
      ],
      'is set by another credential or another order of requests than the samples use': [
        'items[].completed_at',
        'items[].lease',
        'items[].lease.lease_id',
        'items[].lease.owner_id',
        'items[].lease.expires_at',
        'items[].lease.ttl',
        'items[].lease.fencing_token',
      ],
      'needs more than 10,000 rows, or more than one page': ['page.total_at_least'],
    },
  },
  'tasks.context': {
    input: logoTicket,
    furtherInputs: [(w) => ({ ...logoId(w), summary: true })],
    allowed: [...BOARD, 'reading key'],
    unset: {
      'is set by another credential or another order of requests than the samples use': [
        'imported_from',
      ],
    },
  },
}
