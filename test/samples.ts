import type { World } from './world.ts'

type Fields = Record<string, unknown>

/** An input of every operation that its rightful caller gets a yes for, in the furnished world. */
export const samples: Record<string, (w: World) => Fields | Promise<Fields>> = {
  'projects.list': () => ({}),
  'projects.rename': (w) => ({ project_id: w.board.project_id, title: 'Home again' }),
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
    section_id: w.sections.Inbox,
    move_tasks_to_section_id: w.sections.Next,
  }),
  'labels.list': (w) => ({ project_id: w.board.project_id }),
  'labels.create': (w) => ({ project_id: w.board.project_id, name: 'urgent' }),
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
  'tasks.assign': (w) => ({ task_id: w.tasks.logo.task_id, user_id: w.ada.caller.actor_id }),
  'user_context.hello': () => ({}),
  'user_context.get': () => ({}),
  'user_context.update_profile': () => ({ display_name: 'Somebody' }),
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
  'agents.create': (w) => ({ team_id: w.team_id, name: 'Helper' }),
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
