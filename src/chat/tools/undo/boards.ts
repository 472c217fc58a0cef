import {
  DELETED_FOR_GOOD,
  deletesCreated,
  type Fields,
  pick,
  restoresFields,
  type Step,
  type UndoRules,
} from './types.ts'

const BOARD = ['project_id'] as const
const boardRule = (op: string, read: string, names: readonly string[]) =>
  restoresFields(op, BOARD, read, names)

const COLUMN = ['title', 'is_done', 'hidden', 'role', 'wip_limit', 'color', 'auto_assign']

interface Column extends Fields {
  section_id: number
  auto_assign: { user_id?: number; agent_id?: string } | null
}

/** Restores a column: its fields, its position and whom it assigns tasks to. */
function undoColumn(input: Fields, columns: readonly Column[]): Step[] | undefined {
  const index = columns.findIndex(({ section_id }) => section_id === input.section_id)
  const before = columns[index]
  if (!before) return undefined
  const set = COLUMN.filter((name) => input[name] !== undefined)
  const { auto_assign } = before
  const assignment = set.includes('auto_assign') && {
    auto_assign: auto_assign && (auto_assign.agent_id ?? auto_assign.user_id),
  }
  const position = input.move_after_section_id !== undefined && {
    move_after_section_id: columns[index - 1]?.section_id ?? null,
  }
  const { project_id, section_id } = input
  const fields = { ...pick(before, set), ...assignment, ...position }
  return [{ op: 'sections.update', input: { project_id, section_id, ...fields } }]
}

interface Label extends Fields {
  label_id: number
}

export const boardRules: UndoRules = {
  'projects.rename': boardRule('projects.rename', 'projects.manifest', ['title']),
  'projects.update': boardRule('projects.update', 'projects.manifest', [
    'title',
    'description',
    'access',
    'auto_archive_days',
  ]),
  'projects.archive': {
    reads: (input) => ({
      op: 'projects.manifest',
      input: pick(input, BOARD),
      fields: ['status'],
    }),
    undo: ({ input, before }) => [
      {
        op: 'projects.archive',
        input: { ...pick(input, BOARD), status: (before as Fields).status },
      },
    ],
  },
  'projects.set_playbook': boardRule('projects.set_playbook', 'projects.get_playbook', [
    'working_rules',
    'definition_of_done',
    'notes',
    'model_selected',
  ]),
  'projects.set_instructions': boardRule('projects.set_instructions', 'projects.get_instructions', [
    'custom_instruction',
  ]),
  'guidance.restore': 'Its versions are kept: restore the previous one with projects_restore',
  'projects.create': {
    undo: ({ output }) => {
      const { project_id } = output as Fields
      return [{ op: 'projects.archive', input: { project_id, status: 'Archive' } }]
    },
  },
  'projects.invite_member': {
    undo: ({ output }) => {
      const { status, project_id, user_id, invitation_id } = output as Fields
      if (status === 'added')
        return [{ op: 'projects.remove_member', input: { project_id, user_id } }]
      if (status === 'invited') return [{ op: 'invitations.revoke', input: { invitation_id } }]
      return undefined
    },
  },
  'sections.create': deletesCreated('sections.delete', 'project_id', 'section_id'),
  'sections.update': {
    reads: ({ project_id }) => ({
      op: 'sections.list',
      fields: ['section_id', ...COLUMN],
      input: { project_id, include_hidden: true, limit: 50 },
    }),
    undo: ({ input, before }) => undoColumn(input, before as Column[]),
  },
  'sections.delete': DELETED_FOR_GOOD,
  'labels.create': deletesCreated('labels.delete', 'project_id', 'label_id'),
  'labels.update': {
    reads: (input) => ({
      op: 'projects.manifest',
      input: pick(input, BOARD),
      fields: ['labels'],
    }),
    undo({ input, before }) {
      const { labels } = before as { labels: Label[] }
      const label = labels.find(({ label_id }) => label_id === input.label_id)
      const set = ['name', 'color'].filter((name) => input[name] !== undefined)
      if (!label) return undefined
      const { project_id, label_id } = input
      return [{ op: 'labels.update', input: { project_id, label_id, ...pick(label, set) } }]
    },
  },
  'labels.delete': DELETED_FOR_GOOD,
  'rules.create': deletesCreated('rules.delete', 'rule_id'),
  'rules.update': restoresFields('rules.update', ['rule_id'], 'rules.get', [
    ...['when', 'conditions', 'actions', 'enabled', 'position'],
  ]),
  'rules.delete': DELETED_FOR_GOOD,
}
