import type { operations } from '../../../../src/features/tasks/relations/operations/index.ts'
import { BOARD, logoTicket, type SamplesOf } from '../../../support/operation-sample.ts'

export const samples: SamplesOf<typeof operations> = {
  'relations.create': {
    input: (w) => ({
      source_ticket_number: w.tasks.logo.ticket_number,
      target_ticket_number: w.tasks.copy.ticket_number,
      relation_type: 'BlockedBy',
    }),
    allowed: BOARD,
    approval: 'never',
    lease: 'required',
    noReferences: { target_project_id: 'counts with target_unique_index alone' },
  },
  'relations.list': {
    input: logoTicket,
    allowed: [...BOARD, 'reading key'],
    noReferences: { target_project_id: 'counts with target_unique_index alone' },
  },
  'relations.delete': {
    input: async (w) => {
      const relation = {
        source_ticket_number: w.tasks.logo.ticket_number,
        target_ticket_number: w.tasks.link.ticket_number,
      }
      await w.ada['relations.create']({ ...relation, relation_type: 'RelatedTo' })
      return relation
    },
    allowed: BOARD,
    approval: 'never',
    lease: 'required',
    noReferences: { target_project_id: 'counts with target_unique_index alone' },
  },
}
