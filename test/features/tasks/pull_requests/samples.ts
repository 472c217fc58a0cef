import type { operations } from '../../../../src/features/tasks/pull_requests/operations/index.ts'
import { BOARD, boardId, logoId, type SamplesOf } from '../../../support/operation-sample.ts'

const PULL = 'https://github.com/acme/site/pull/12'

export const samples: SamplesOf<typeof operations> = {
  'pull_requests.list': {
    input: async (w) => {
      const sync = (event: object) =>
        w.ada['pull_requests.sync']({ ...boardId(w), urls: [PULL], ...event })
      await sync({ state: 'open', title: 'HP-1: draw it', branch: 'hp-1-draw' })
      await sync({ preview_url: 'https://preview.example.com/12' })
      return logoId(w)
    },
    allowed: [...BOARD, 'reading key'],
  },
  'pull_requests.create': {
    input: (w) => ({ ...logoId(w), url: PULL }),
    furtherInputs: [
      (w) => ({ ...logoId(w), url: 'https://github.com/acme/site/pull/9', title: 'Draw' }),
    ],
    allowed: BOARD,
    approval: 'never',
    unset: { 'needs a second request that follows the first': ['branch', 'preview_url'] },
  },
  'pull_requests.delete': {
    input: async (w) => {
      const { task_id } = w.tasks.logo
      const { pull_request_id } = await w.ada['pull_requests.create']({ task_id, url: PULL })
      return { task_id, pull_request_id }
    },
    allowed: BOARD,
    approval: 'always',
  },
  'pull_requests.sync': {
    input: (w) => ({ ...boardId(w), urls: [PULL], state: 'open', title: 'HP-1: draw it' }),
    allowed: BOARD,
    approval: 'never',
  },
  'pull_request_receivers.create': {
    input: (w) => ({ ...boardId(w), host: 'github' }),
    allowed: ['admin', 'owner'],
    approval: 'never',
    unset: {
      'is set by another credential or another order of requests than the samples use': [
        'expires_at',
      ],
    },
  },
  'pull_request_receivers.list': {
    input: boardId,
    allowed: ['admin', 'owner'],
    approval: 'never',
    unset: {
      'is set by another credential or another order of requests than the samples use': [
        'items[].expires_at',
      ],
    },
  },
  'pull_request_receivers.delete': {
    input: async (w) => {
      const { project_id } = w.board
      const receiver = await w.ada['pull_request_receivers.create']({ project_id, host: 'github' })
      return { project_id, receiver_id: receiver.receiver_id }
    },
    allowed: ['admin', 'owner'],
    approval: 'always',
  },
}
