import type { operations } from '../../../../src/features/inbox/sidebar/operations/index.ts'
import { EVERYONE, type SamplesOf } from '../../../support/operation-sample.ts'

/** Only the app shows it. */
const noCommand = 'a command line has no sidebar'
const entries = [
  { id: 'work', title: 'Work' },
  { id: 'mine', title: 'My tasks', path: '/my', folder_id: 'work' },
]

export const samples: SamplesOf<typeof operations> = {
  'sidebar.get': {
    input: async ({ ada }) => {
      await ada['sidebar.update']({ entries, if_version: 0 })
      return {}
    },
    // It belongs to a person and not to a board.
    allowed: [...EVERYONE, 'reading key'],
    noCommand,
  },
  'sidebar.update': {
    input: () => ({ entries, if_version: 0 }),
    allowed: EVERYONE,
    approval: 'never',
    noReferences: {
      'entries.id': 'a name that the app gives an entry',
      'entries.folder_id': 'an entry of the same request',
    },
    noTexts: { 'entries[].path': 'an address within the app' },
    noCommand,
  },
}
