import type { operations } from '../../../../src/features/time/calendar/operations/index.ts'
import { EVERYONE, PEOPLE, type SamplesOf } from '../../../support/operation-sample.ts'

export const samples: SamplesOf<typeof operations> = {
  'calendar.list': {
    input: () => ({ from: '2026-11-01', to: '2026-11-30' }),
    allowed: [...EVERYONE, 'reading key'],
    unset: {
      'is only there when it is named in fields, or when a text is truncated': [
        'items[].description',
      ],
      'is set by another credential or another order of requests than the samples use': [
        'items[].completed_at',
      ],
    },
  },
  'calendar_feeds.list': {
    input: () => ({}),
    // A calendar feed URL is a credential, and agents cannot manage credentials.
    allowed: [...PEOPLE, 'reading key'],
    unset: {
      'needs a second request that follows the first': ['items[].last_read_at'],
      'is set by another credential or another order of requests than the samples use': [
        'items[].expires_at',
      ],
    },
  },
  'calendar_feeds.create': {
    input: () => ({ title: 'Work', what: 'all' }),
    furtherInputs: [(w) => ({ project_ids: [w.board.project_id] })],
    allowed: PEOPLE,
    approval: 'never',
    unset: {
      'is set by another credential or another order of requests than the samples use': [
        'expires_at',
      ],
    },
  },
  'calendar_feeds.delete': {
    input: async ({ ada }) => ({
      feed_id: (await ada['calendar_feeds.create']({})).feed_id,
    }),
    // The sample is a feed of the owner.
    allowed: ['owner'],
    approval: 'always',
  },
}
