import type { operations } from '../../../../src/features/boards/sections/operations/index.ts'
import { BOARD, boardId, type SamplesOf } from '../../../support/operation-sample.ts'

export const samples: SamplesOf<typeof operations> = {
  'sections.get': {
    input: (w) => ({ ...boardId(w), section_id: w.sections.Inbox }),
    furtherInputs: [(w) => ({ ...boardId(w), section_id: w.sections.Doing, include_tasks: true })],
    allowed: [...BOARD, 'reading key'],
    unset: {
      'is only there when it is named in fields, or when a text is truncated': [
        'tasks[].description',
        'tasks[].custom_fields[].clipped',
      ],
      'is set by another credential or another order of requests than the samples use': [
        'section.is_done',
      ],
    },
  },
  'sections.update': {
    input: (w) => ({ ...boardId(w), section_id: w.sections.Doing, title: 'Making' }),
    furtherInputs: [(w) => ({ ...boardId(w), section_id: w.sections.Doing, is_done: true })],
    allowed: ['member', 'admin', 'owner', 'agent'],
    approval: 'never',
    lease: 'required',
    inputChangingTask: ({ board: { project_id }, sections: { Doing: section_id } }) => ({
      project_id,
      section_id,
      is_done: true,
    }),
  },
  'sections.delete': {
    input: (w) => ({
      ...boardId(w),
      section_id: w.sections.Next,
      move_tasks_to_section_id: w.sections.Review,
    }),
    allowed: ['member', 'admin', 'owner', 'agent'],
    approval: 'always',
    lease: 'required',
    inputChangingTask: ({ board: { project_id }, sections }) => ({
      project_id,
      section_id: sections.Doing,
      move_tasks_to_section_id: sections.Next,
    }),
  },
  'sections.list': { input: boardId, allowed: [...BOARD, 'reading key'] },
  'sections.create': {
    input: (w) => ({ ...boardId(w), title: 'Ideas' }),
    allowed: ['member', 'admin', 'owner', 'agent'],
    approval: 'never',
  },
}
