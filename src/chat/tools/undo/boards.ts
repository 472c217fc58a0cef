import { type Fields, GONE, picked, reverted, type Step, unmade, type Ways } from './types.ts'

const BOARD = ['project_id'] as const
const board = (op: string, read: string, names: readonly string[]) =>
  reverted(op, BOARD, read, names)

const COLUMN = ['title', 'is_done', 'hidden', 'role', 'wip_limit', 'auto_assign']

interface Column extends Fields {
  section_id: number
  auto_assign: { user_id?: number; agent_id?: string } | null
}

/** A column as it was, in its place and with whom it handed tasks to. */
function columnBack(input: Fields, columns: readonly Column[]): Step[] | undefined {
  const at = columns.findIndex(({ section_id }) => section_id === input.section_id)
  const was = columns[at]
  if (!was) return undefined
  const given = COLUMN.filter((name) => input[name] !== undefined)
  const { auto_assign } = was
  const handed = given.includes('auto_assign') && {
    auto_assign: auto_assign && (auto_assign.agent_id ?? auto_assign.user_id),
  }
  const placed = input.move_after_section_id !== undefined && {
    move_after_section_id: columns[at - 1]?.section_id ?? null,
  }
  const { project_id, section_id } = input
  const fields = { ...picked(was, given), ...handed, ...placed }
  return [{ op: 'sections.update', input: { project_id, section_id, ...fields } }]
}

interface Label extends Fields {
  label_id: number
}

export const ofBoards: Ways = {
  'projects.rename': board('projects.rename', 'projects.manifest', ['title']),
  'projects.update': board('projects.update', 'projects.manifest', [
    ...['title', 'description', 'access', 'auto_archive_days'],
  ]),
  'projects.archive': {
    sees: (input) => ({
      ...{ op: 'projects.manifest', input: picked(input, BOARD), fields: ['status'] },
    }),
    back: ({ input, before }) => [
      {
        op: 'projects.archive',
        input: { ...picked(input, BOARD), status: (before as Fields).status },
      },
    ],
  },
  'projects.set_playbook': board('projects.set_playbook', 'projects.get_playbook', [
    ...['working_rules', 'definition_of_done', 'notes', 'model_selected'],
  ]),
  'projects.set_instructions': board('projects.set_instructions', 'projects.get_instructions', [
    'custom_instruction',
  ]),
  'guidance.restore': 'Its versions are kept: restore the one before with projects_restore',
  'projects.create': {
    back: ({ output }) => {
      const { project_id } = output as Fields
      return [{ op: 'projects.archive', input: { project_id, status: 'Archive' } }]
    },
  },
  'projects.invite_member': {
    back: ({ output }) => {
      const { status, project_id, user_id, invitation_id } = output as Fields
      if (status === 'added')
        return [{ op: 'projects.remove_member', input: { project_id, user_id } }]
      if (status === 'invited') return [{ op: 'invitations.revoke', input: { invitation_id } }]
      return undefined
    },
  },
  'sections.create': unmade('sections.delete', 'project_id', 'section_id'),
  'sections.update': {
    sees: ({ project_id }) => ({
      ...{ op: 'sections.list', fields: ['section_id', ...COLUMN] },
      input: { project_id, include_hidden: true, limit: 50 },
    }),
    back: ({ input, before }) => columnBack(input, before as Column[]),
  },
  'sections.delete': GONE,
  'labels.create': unmade('labels.delete', 'project_id', 'label_id'),
  'labels.update': {
    sees: (input) => ({
      ...{ op: 'projects.manifest', input: picked(input, BOARD), fields: ['labels'] },
    }),
    back({ input, before }) {
      const { labels } = before as { labels: Label[] }
      const was = labels.find(({ label_id }) => label_id === input.label_id)
      const given = ['name', 'color'].filter((name) => input[name] !== undefined)
      if (!was) return undefined
      const { project_id, label_id } = input
      return [{ op: 'labels.update', input: { project_id, label_id, ...picked(was, given) } }]
    },
  },
  'labels.delete': GONE,
}
