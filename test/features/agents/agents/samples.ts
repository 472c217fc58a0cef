import type { operations } from '../../../../src/features/agents/agents/operations/index.ts'
import { type SamplesOf, TEAM } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

/** The id of the member's agent. */
const botId = ({ bot }: World) => ({ agent_id: bot.caller.agent_id! })

const painterId = async (w: World) => {
  const { items } = await w.ada['agents.list']({ team_id: w.team_id })
  return { agent_id: items.find(({ name }) => name === 'Painter')!.agent_id }
}

/** A native agent, because only those have instructions. */
async function nativeAgent(w: World) {
  const { team_id, ada } = w
  const { items } = await ada['agents.list']({ team_id })
  const agent = items.find(({ kind }) => kind === 'native')
  const draft = { team_id, name: 'Writer', kind: 'native' } as const
  return { agent_id: (agent ?? (await ada['agents.create'](draft))).agent_id }
}

/** Set by `agents.update` only. */
const RESTRICTIONS = ['budget_usd', 'paused_by', 'paused_at']

export const samples: SamplesOf<typeof operations> = {
  'agents.presence': {
    input: (w) => ({ team_id: w.team_id }),
    allowed: [...TEAM, 'agent', 'reading key'],
  },
  'agents.list': {
    input: (w) => ({ team_id: w.team_id }),
    allowed: [...TEAM, 'agent', 'reading key'],
  },
  'agents.get': {
    input: botId,
    furtherInputs: [painterId],
    allowed: [...TEAM, 'agent', 'reading key'],
  },
  'agents.create': {
    input: (w) => ({ team_id: w.team_id, name: 'Helper' }),
    furtherInputs: [
      (w) => ({
        team_id: w.team_id,
        name: 'Scribe',
        kind: 'native',
        instructions: 'Write',
        project_ids: [w.board.project_id],
      }),
    ],
    // The sample is an agent of the member: its owner and managers of the team.
    allowed: ['member', 'admin', 'owner'],
    approval: 'never',
    notInChat: 'its token is shown once, to a person',
    unset: {
      'needs time to pass': ['last_seen_at'],
      'is set by another credential or another order of requests than the samples use': [
        'token_expires_at',
        ...RESTRICTIONS,
      ],
    },
    textInput: () => ({ kind: 'native' }),
  },
  'agents.update': {
    input: (w) => ({ ...botId(w), name: 'Aide', scopes: ['tasks:read'] }),
    furtherInputs: [
      async (w) => ({ ...(await painterId(w)), instructions: 'Write more', budget_usd: 30 }),
    ],
    allowed: ['member', 'admin', 'owner'],
    approval: 'never',
    unset: { 'needs time to pass': ['last_seen_at'] },
    textInput: nativeAgent,
  },
  'agents.enable': {
    input: async (w) => {
      await w.cleo['agents.deactivate'](botId(w))
      return botId(w)
    },
    allowed: ['member', 'admin', 'owner'],
    approval: 'never',
    unset: {
      'is set by another credential or another order of requests than the samples use':
        RESTRICTIONS,
    },
  },
  'agents.rotate': {
    input: botId,
    allowed: ['member', 'admin', 'owner'],
    approval: 'always',
    unset: {
      'is set by another credential or another order of requests than the samples use':
        RESTRICTIONS,
    },
  },
  'agents.deactivate': { input: botId, allowed: ['member', 'admin', 'owner'], approval: 'always' },
  'agents.revoke': { input: botId, allowed: ['member', 'admin', 'owner'], approval: 'always' },
  'agents.archive': { input: botId, allowed: ['member', 'admin', 'owner'], approval: 'always' },
  'agents.delete': {
    input: botId,
    allowed: ['member', 'admin', 'owner'],
    approval: 'always',
    lease: { none: 'only people manage agents' },
  },
}
