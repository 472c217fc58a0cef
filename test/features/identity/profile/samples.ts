import type { operations } from '../../../../src/features/identity/profile/operations/index.ts'
import { EVERYONE, type SamplesOf, TEAM } from '../../../support/operation-sample.ts'

/** A PNG image of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const samples: SamplesOf<typeof operations> = {
  'user_context.hello': {
    input: () => ({}),
    alsoAsAgent: true,
    // The outsider owns another team, so it may call operations that name no team or board.
    allowed: [...EVERYONE, 'reading key'],
    notInChat: 'a chat starts with the same data',
    unset: { 'needs more than 10,000 rows, or more than one page': ['more_teams', 'more_boards'] },
  },
  'user_context.get': {
    input: () => ({}),
    alsoAsAgent: true,
    allowed: [...EVERYONE, 'reading key'],
    unset: {
      'is set by another credential or another order of requests than the samples use': [
        'teams_requiring_second_factor',
        'teams_requiring_second_factor[].team_id',
        'teams_requiring_second_factor[].name',
      ],
    },
  },
  'user_context.update_profile': {
    input: () => ({ display_name: 'Somebody' }),
    allowed: EVERYONE,
    approval: 'never',
    unset: {
      'is set by another credential or another order of requests than the samples use': [
        'agent_id',
        'owner_id',
      ],
    },
    noTexts: { avatar: 'an address or an emoji' },
  },
  'avatars.versions': {
    input: async ({ ada }) => {
      await ada['avatars.update']({ actor: 'me', data: PIXEL })
      return {}
    },
    allowed: [...EVERYONE, 'reading key'],
    noCommand: 'only the app shows pictures',
    unset: {
      'is set by another credential or another order of requests than the samples use': [
        'avatars[].agent_id',
      ],
    },
  },
  'avatars.update': {
    input: () => ({ actor: 'me', data: PIXEL }),
    allowed: EVERYONE,
    approval: 'never',
    noCommand: 'people crop their picture in the app',
    noTexts: { data: 'an image in base64' },
  },
  'avatars.delete': {
    input: () => ({ actor: 'me' }),
    allowed: EVERYONE,
    approval: 'always',
    noCommand: 'people crop their picture in the app',
  },
  'people.get': {
    input: ({ cleo }) => ({ user_id: cleo.caller.actor_id }),
    allowed: [...TEAM, 'agent', 'reading key'],
    noCommand: 'only the app shows previews of people; commands list members',
  },
}
