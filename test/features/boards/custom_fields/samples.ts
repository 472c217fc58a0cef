import type { operations } from '../../../../src/features/boards/custom_fields/operations/index.ts'
import { BOARD, boardId, logoId, type SamplesOf } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

async function createField({ ada, board }: World) {
  const { project_id } = board
  const { field_id } = await ada['custom_fields.create']({
    project_id,
    name: 'Points',
    type: 'number',
  })
  return { project_id, field_id }
}

export const samples: SamplesOf<typeof operations> = {
  'custom_fields.set': {
    input: (w) => ({ ...logoId(w), field_name: 'Points', value: 5 }),
    allowed: BOARD,
    approval: 'never',
    lease: 'required',
    unset: {
      'is set by another credential or another order of requests than the samples use': [
        'next_occurrence',
      ],
    },
    noTexts: { value: 'a value, in the format of its field' },
  },
  'custom_fields.update': {
    input: async (w) => ({ ...(await createField(w)), name: 'Effort' }),
    allowed: ['member', 'admin', 'owner', 'agent'],
    approval: 'never',
    lease: { none: 'reshapes the board: needs projects:write' },
    inputChangingTask: async ({ ada, board: { project_id }, tasks: { copy } }) => {
      const options = [{ label: 'Draft' }, { label: 'Final' }]
      const { field_id } = await ada['custom_fields.create']({
        project_id,
        name: 'State',
        type: 'select',
        options,
      })
      await ada['custom_fields.set']({ task_id: copy.task_id, field_id, value: 'Draft' })
      return { project_id, field_id, options: [{ label: 'Final' }], force: true }
    },
    unset: {
      'is set by another credential or another order of requests than the samples use': ['options'],
    },
    noReferences: { 'options.option_id': 'an option of the field that field_id names' },
  },
  'custom_fields.delete': {
    input: createField,
    allowed: ['member', 'admin', 'owner', 'agent'],
    approval: 'always',
    lease: { none: 'reshapes the board: needs projects:write' },
  },
  'custom_fields.list': { input: boardId, allowed: [...BOARD, 'reading key'] },
  'custom_fields.create': {
    input: (w) => ({ ...boardId(w), name: 'Stage', type: 'select', options: [{ label: 'Draft' }] }),
    furtherInputs: [(w) => ({ ...boardId(w), name: 'Stage', type: 'select' })],
    allowed: ['member', 'admin', 'owner', 'agent'],
    approval: 'never',
  },
}
