import type { operations } from '../../../../src/features/search/search/operations/index.ts'
import { BOARD, EVERYONE, logoId, type SamplesOf } from '../../../support/operation-sample.ts'

export const samples: SamplesOf<typeof operations> = {
  'search.tasks': {
    input: () => ({ query: 'logo label:ui is:open' }),
    furtherInputs: [() => ({ query: 'is:done' })],
    allowed: [...EVERYONE, 'reading key'],
    unset: {
      'is only there when it is named in fields, or when a text is truncated': [
        'items[].description',
      ],
    },
  },
  'search.quick': {
    input: () => ({ query: 'logo', kinds: 'task,page' }),
    furtherInputs: [() => ({ query: 'b' })],
    allowed: [...EVERYONE, 'reading key'],
    noTexts: { query: 'a query' },
  },
  'search.semantic': {
    input: () => ({ query: 'Which colours?', metadata_filters: { label: 'ui' } }),
    allowed: [...EVERYONE, 'reading key'],
  },
  'search.related': {
    input: logoId,
    furtherInputs: [() => ({ text: 'Which colours are there, red or blue?' })],
    allowed: [...BOARD, 'reading key'],
    noTexts: { text: 'a query' },
    referenceNeeds: { board_id: { task_id: undefined, text: 'Which colours are there?' } },
  },
  'search.help': {
    input: () => ({ query: 'How do I make a backup?' }),
    allowed: [...EVERYONE, 'reading key'],
  },
}
