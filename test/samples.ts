import { inChat } from './samples-chat.ts'
import { aboutPages } from './samples-pages.ts'
import { atWork } from './samples-work.ts'
import type { World } from './world.ts'

type Fields = Record<string, unknown>

/** A notification in the inbox of the owner. */
const notified = async ({ ben, ada, tasks }: World) => {
  const { task_id } = tasks.logo
  const { notification_id } = await ben['inbox.move_task']({
    task_id,
    user_id: ada.caller.actor_id,
  })
  return { notification_ids: [notification_id] }
}

/** A question of the agent of the member. */
const asked = async ({ bot, tasks }: World) => {
  const { decision_request_id } = await bot['decision_requests.create']({
    task_id: tasks.logo.task_id,
    question: 'Which colour?',
    options: ['Red', 'Blue'],
  })
  return { decision_request_id }
}

/** A shared view of the owner. */
const viewed = async (w: World) => {
  const { view_id } = await w.ada['views.create']({
    project_id: w.board.project_id,
    title: 'Urgent',
    label_names: ['bug'],
  })
  return { view_id }
}

/** A view that the owner has of their own tasks. */
const viewedMine = async ({ ada }: World) => {
  const { view_id } = await ada['my_views.create']({ title: 'By board', grouping: 'board' })
  return { view_id }
}

const note = { filename: 'note.txt', content_type: 'text/plain', data: 'SGk=' }

const attached = async (w: World): Promise<number> => {
  const { task_id } = w.tasks.logo
  const { attachments } = await w.ada['attachments.create']({ task_id, files: [note] })
  return attachments[0]!.attachment_id
}

const draftOf = async ({ ada, tasks: { logo } }: World) => {
  const { task_id } = logo
  const { draft_id } = await ada['drafts.create']({ task_id, text: '<p>In three colours.</p>' })
  return { draft_id }
}

/** A comment of the agent of the member. */
const commented = async ({ bot, tasks }: World) => {
  const { task_id } = tasks.logo
  const { comment_id } = await bot['comments.add']({ task_id, text: '<p>In red?</p>' })
  return { comment_id }
}

/** An input of every operation that its rightful caller gets a yes for, in the furnished world. */
export const samples: Record<string, (w: World) => Fields | Promise<Fields>> = {
  'projects.list': () => ({}),
  'projects.rename': (w) => ({ project_id: w.board.project_id, title: 'Home again' }),
  'projects.update': (w) => ({ project_id: w.board.project_id, auto_archive_days: 30 }),
  'projects.archive': (w) => ({ project_id: w.board.project_id, status: 'Archive' }),
  'projects.get_playbook': (w) => ({ project_id: w.board.project_id }),
  'projects.set_playbook': (w) => ({ project_id: w.board.project_id, notes: 'Ask first' }),
  'projects.get_instructions': (w) => ({ project_id: w.board.project_id }),
  'projects.set_instructions': (w) => ({
    project_id: w.board.project_id,
    custom_instruction: 'Be brief',
  }),
  'projects.create': (w) => ({
    team_id: w.team_id,
    title: 'Garden',
    sections: [{ title: 'To do' }, { title: 'Done' }],
    labels: [{ name: 'plants' }],
    tasks: [{ title: 'Dig', section_index: 0, priority: 2, labels: ['plants'] }],
  }),
  'projects.manifest': (w) => ({ project_id: w.board.project_id }),
  'projects.board': (w) => ({ project_id: w.board.project_id, since: 0 }),
  'projects.members': (w) => ({ project_id: w.board.project_id }),
  'projects.invite_member': (w) => ({
    project_id: w.board.project_id,
    member_identifier: 'new@example.com',
  }),
  'sections.list': (w) => ({ project_id: w.board.project_id }),
  'sections.get': (w) => ({ project_id: w.board.project_id, section_id: w.sections.Inbox }),
  'sections.create': (w) => ({ project_id: w.board.project_id, title: 'Ideas' }),
  'sections.update': (w) => ({
    project_id: w.board.project_id,
    section_id: w.sections.Doing,
    title: 'Making',
  }),
  'sections.delete': (w) => ({
    project_id: w.board.project_id,
    section_id: w.sections.Next,
    move_tasks_to_section_id: w.sections.Review,
  }),
  'labels.list': (w) => ({ project_id: w.board.project_id }),
  'labels.create': (w) => ({ project_id: w.board.project_id, name: 'urgent' }),
  'search.tasks': () => ({ query: 'logo label:ui is:open' }),
  'search.semantic': () => ({ query: 'Which colours?', metadata_filters: { label: 'ui' } }),
  'search.related': (w) => ({ task_id: w.tasks.logo.task_id }),
  'pages.search': () => ({ query: 'logo' }),
  'search.help': () => ({ query: 'How do I make a backup?' }),
  'custom_fields.list': (w) => ({ project_id: w.board.project_id }),
  'custom_fields.create': (w) => ({
    project_id: w.board.project_id,
    name: 'Stage',
    type: 'select',
    options: [{ label: 'Draft' }],
  }),
  'custom_fields.set': (w) => ({
    task_id: w.tasks.logo.task_id,
    field_name: 'Points',
    value: 5,
  }),
  'custom_fields.update': async (w) => ({ ...(await fieldOf(w)), name: 'Effort' }),
  'custom_fields.delete': fieldOf,
  'reports.list': (w) => ({ project_id: w.board.project_id }),
  'reports.get': reportOf,
  'reports.create': (w) => ({
    project_id: w.board.project_id,
    title: 'Weekly status',
    body_html: '<p>All is well.</p>',
  }),
  'reports.update': async (w) => ({ ...(await reportOf(w)), title: 'Monthly status' }),
  'reports.delete': reportOf,
  'pull_requests.list': (w) => ({ task_id: w.tasks.logo.task_id }),
  'pull_requests.create': (w) => ({ task_id: w.tasks.logo.task_id, url: PULL }),
  'pull_requests.delete': async (w) => {
    const { task_id } = w.tasks.logo
    const { pull_request_id } = await w.ada['pull_requests.create']({ task_id, url: PULL })
    return { task_id, pull_request_id }
  },
  'pull_requests.sync': (w) => ({
    project_id: w.board.project_id,
    urls: [PULL],
    state: 'open',
    title: 'HP-1: draw it',
  }),
  'pull_request_receivers.list': (w) => ({ project_id: w.board.project_id }),
  'pull_request_receivers.create': (w) => ({ project_id: w.board.project_id, host: 'github' }),
  'pull_request_receivers.delete': async (w) => {
    const { project_id } = w.board
    const made = await w.ada['pull_request_receivers.create']({ project_id, host: 'github' })
    return { project_id, receiver_id: made.receiver_id }
  },
  'tasks.list': (w) => ({ project_id: w.board.project_id }),
  'tasks.get': (w) => ({ ticket_number: w.tasks.logo.ticket_number }),
  'tasks.create': (w) => ({
    project_id: w.board.project_id,
    title: 'Paint the fence',
    priority: 'High',
    labels: ['bug'],
  }),
  'tasks.update': (w) => ({ task_id: w.tasks.logo.task_id, title: 'Draw a better logo' }),
  'tasks.move': (w) => ({
    task_id: w.tasks.logo.task_id,
    target_project_id: w.board.project_id,
    target_section_id: w.sections.Done,
  }),
  'comments.list': (w) => ({ task_id: w.tasks.logo.task_id, include_activity: true }),
  'comments.get': commented,
  'comments.add': (w) => ({
    task_id: w.tasks.logo.task_id,
    text: '<p>@Ada, in red?</p>',
    mentions: [{ user_id: w.ada.caller.actor_id, display_name: 'Ada' }],
  }),
  'comments.update': async (w) => ({ ...(await commented(w)), text: '<p>In blue?</p>' }),
  'comments.delete': commented,
  'comments.react': async (w) => ({ ...(await commented(w)), emoji: '👍' }),
  'comments.unreact': async (w) => {
    const { comment_id } = await commented(w)
    await w.ada['comments.react']({ comment_id, emoji: '👍' })
    return { comment_id, emoji: '👍' }
  },
  'tasks.assign': (w) => ({ task_id: w.tasks.logo.task_id, user_id: w.ada.caller.actor_id }),
  'tasks.set_start_date': (w) => ({ taskId: w.tasks.logo.task_id, startDate: '2026-11-25' }),
  'tasks.set_recurrence': (w) => ({ taskId: w.tasks.logo.task_id, recurrence: 'Weekly' }),
  'tasks.context': (w) => ({ ticket_number: w.tasks.logo.ticket_number }),
  'tasks.tree': (w) => ({ ticket_number: w.tasks.logo.ticket_number }),
  'tasks.update_many': (w) => ({
    ticket_numbers: [w.tasks.copy.ticket_number, w.tasks.logo.ticket_number],
    priority: 'Low',
    add_labels: ['bug'],
  }),
  'labels.update': (w) => ({
    project_id: w.board.project_id,
    label_id: w.labels.bug,
    name: 'defect',
  }),
  'labels.delete': (w) => ({ project_id: w.board.project_id, label_id: w.labels.bug }),
  'tasks.next': (w) => ({ project_id: w.board.project_id }),
  'relations.create': (w) => ({
    source_ticket_number: w.tasks.logo.ticket_number,
    target_ticket_number: w.tasks.copy.ticket_number,
    relation_type: 'BlockedBy',
  }),
  'relations.list': (w) => ({ ticket_number: w.tasks.logo.ticket_number }),
  'relations.delete': async (w) => {
    const ends = {
      source_ticket_number: w.tasks.logo.ticket_number,
      target_ticket_number: w.tasks.link.ticket_number,
    }
    await w.ada['relations.create']({ ...ends, relation_type: 'RelatedTo' })
    return ends
  },
  'attachments.list': (w) => ({ task_id: w.tasks.logo.task_id }),
  'attachments.create': (w) => ({ task_id: w.tasks.logo.task_id, files: [note] }),
  'attachments.get': async (w) => ({ attachment_id: await attached(w) }),
  'attachments.delete': async (w) => ({ attachment_id: await attached(w) }),
  'decision_requests.create': (w) => ({
    task_id: w.tasks.logo.task_id,
    question: 'Ship it?',
    options: ['Yes', 'No'],
  }),
  'decision_requests.list': async (w) => {
    await asked(w)
    return { status: 'pending' }
  },
  'decision_requests.get': asked,
  'decision_requests.answer': async (w) => ({ ...(await asked(w)), selected_option: 'Blue' }),
  'decision_requests.cancel': asked,
  ...atWork,
  ...inChat,
  ...aboutPages,
  'inbox.list': () => ({}),
  'inbox.summary': () => ({}),
  'inbox.archive': notified,
  'inbox.unarchive': notified,
  'inbox.read': notified,
  'inbox.unread': notified,
  'inbox.mark': async (w) => ({ action: 'archive', ...(await notified(w)) }),
  'inbox.move_task': (w) => ({
    ticket_number: w.tasks.logo.ticket_number,
    user_id: w.ben.caller.actor_id,
  }),
  'views.list': (w) => ({ project_id: w.board.project_id }),
  'views.get': viewed,
  'views.tasks': viewed,
  'views.create': (w) => ({
    project_id: w.board.project_id,
    title: 'Urgent',
    board_filters: { groups: [{ rules: [{ field: 'priority', op: 'is', value: 'Urgent' }] }] },
    sorting_stack: [{ mode: 'DueDate' }, { mode: 'Title', order: 'Descending' }],
  }),
  'views.update': async (w) => ({ ...(await viewed(w)), title: 'Very urgent' }),
  'views.delete': viewed,
  'views.set_default': async (w) => ({ ...(await viewed(w)), set_as_default: true }),
  'my_tasks.list': () => ({
    ...{ grouping: 'board', priority: ['High'], sorting_stack: [{ mode: 'Title' }] },
    board_filters: { groups: [{ rules: [{ field: 'done', op: 'is', value: false }] }] },
  }),
  'my_tasks.groups': () => ({ include_done: true }),
  'my_tasks.add': (w) => ({ title: 'Tea daily', natural: true, project_id: w.board.project_id }),
  'my_views.list': () => ({}),
  'my_views.create': () => ({ title: 'By board', grouping: 'board', show_done: true }),
  'my_views.update': async (w) => ({ ...(await viewedMine(w)), show_done: true }),
  'my_views.delete': viewedMine,
  'feedback.report': () => ({
    ...{ tool: 'svc_tasks', status: 500, errorCode: 'internal', category: 'call_failed' },
  }),
  'tasks.versions': (w) => ({ ticket_number: w.tasks.logo.ticket_number }),
  'tasks.restore': async ({ ada, tasks: { logo } }) => {
    const { ticket_number } = logo
    await ada['tasks.update']({ ticket_number, description: '<p>In one.</p>' })
    const { items } = await ada['tasks.versions']({ ticket_number })
    return { ticket_number, version_id: items.at(-1)!.version_id }
  },
  'drafts.list': (w) => ({ ticket_number: w.tasks.logo.ticket_number }),
  'drafts.create': (w) => ({
    ticket_number: w.tasks.logo.ticket_number,
    text: '<p>In three colours?</p>',
    draft_type: 'comment',
  }),
  'drafts.preview': () => ({ text: 'In **three** colours' }),
  'drafts.get': (w) => draftOf(w),
  'drafts.update': async (w) => ({ ...(await draftOf(w)), text: '<p>In one.</p>' }),
  'drafts.publish': async (w) => ({ ...(await draftOf(w)), if_version: 1 }),
  'drafts.delete': (w) => draftOf(w),
  'user_context.hello': () => ({}),
  'user_context.get': () => ({}),
  'user_context.update_profile': () => ({ display_name: 'Somebody' }),
  'mail.get': () => ({}),
  'mail.update': () => ({ mode: 'daily', hour: 7 }),
  'mail.test': () => ({}),
  'teams.list': () => ({}),
  'teams.get': (w) => ({ team_id: w.team_id }),
  'teams.create': () => ({ name: 'Lighthouse' }),
  'teams.rename': (w) => ({ team_id: w.team_id, name: 'Port' }),
  'teams.members': (w) => ({ team_id: w.team_id }),
  'teams.set_role': (w) => ({
    team_id: w.team_id,
    user_id: w.gus.caller.actor_id,
    role: 'member',
  }),
  'teams.remove_member': (w) => ({ team_id: w.team_id, user_id: w.gus.caller.actor_id }),
  'teams.leave': async (w) => {
    // The last owner cannot leave, so there are two.
    const { team_id, ada, ben } = w
    await ada['teams.set_role']({ team_id, user_id: ben.caller.actor_id, role: 'owner' })
    return { team_id }
  },
  'invitations.list': (w) => ({ team_id: w.team_id }),
  'invitations.create': (w) => ({ team_id: w.team_id, email: 'x@example.com', role: 'member' }),
  'invitations.revoke': async (w) => ({
    invitation_id: (
      await w.ada['invitations.create']({
        team_id: w.team_id,
        email: 'y@example.com',
        role: 'member',
      })
    ).invitation_id,
  }),
  'audit.list': (w) => ({ team_id: w.team_id }),
  'audit.own': () => ({}),
  'api_keys.list': () => ({}),
  'api_keys.create': () => ({ name: 'laptop' }),
  'api_keys.revoke': async (w) => ({
    api_key_id: (await w.ada['api_keys.create']({ name: 'old' })).api_key_id,
  }),
  'access_tokens.list': () => ({}),
  'access_tokens.create': () => ({ name: 'editor' }),
  'access_tokens.revoke': async (w) => ({
    access_token_id: (await w.ada['access_tokens.create']({ name: 'old' })).access_token_id,
  }),
}

const PULL = 'https://github.com/acme/site/pull/12'

async function fieldOf({ ada, board }: World) {
  const { project_id } = board
  const { field_id } = await ada['custom_fields.create']({
    ...{ project_id, name: 'Points', type: 'number' },
  })
  return { project_id, field_id }
}

async function reportOf({ ada, board }: World) {
  const { project_id } = board
  const { report_id } = await ada['reports.create']({ project_id, title: 'Status' })
  return { report_id }
}
