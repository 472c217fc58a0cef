import { useState } from 'react'
import { useAct, useCache } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import type { Me } from '../frame/places.ts'
import { complain, say } from '../frame/toasts.tsx'
import type { Deed } from '../parts/menu.tsx'
import type { Issued } from '../start/naming.tsx'
import type { Agent } from './words.ts'

/** What is asked or shown above the page about an agent. */
export type Asked = 'edit' | 'rotate' | 'revoke' | 'delete'

/** Whether somebody may change an agent: its owner, and who runs the team. */
export function manages(me: Me, { team_id, owner_id }: Agent): boolean {
  if (!me.permissions.includes('agents:manage')) return false
  const role = me.teams.find((team) => team.team_id === team_id)?.role
  return (
    role === 'owner' || role === 'admin' || (role !== undefined && me.profile.user_id === owner_id)
  )
}

const failed = (error: Error) => complain(wordsOf(error))

/** What can be done with an agent as a whole; what cannot be undone asks first. */
export function useAgentDeeds(agent: Agent) {
  const { agent_id, name, state, kind } = agent
  const cache = useCache()
  const [asked, ask] = useState<Asked>()
  const [issued, setIssued] = useState<Issued>()
  const again = () => void cache.invalidateQueries({ predicate: isOfAgents })
  const { act: enable } = useAct('agents.enable', {
    done(made) {
      again()
      say(`Switched on ${name}`)
      if (made.token) setIssued(made)
    },
    failed,
  })
  const { act: deactivate } = useAct('agents.deactivate', {
    done() {
      again()
      say(`Switched off ${name}`, () => enable({ agent_id }))
    },
    failed,
  })
  const { act: archive } = useAct('agents.archive', {
    done() {
      again()
      say(`Archived ${name}: its token has ended`)
    },
    failed,
  })
  const deeds: Deed[][] = [
    [
      ...(state === 'archived'
        ? []
        : [{ name: 'Edit…', icon: 'pencil' as const, run: () => ask('edit') }]),
      ...(kind === 'external' && state !== 'archived'
        ? [{ name: 'New token…', icon: 'repeat' as const, run: () => ask('rotate') }]
        : []),
    ],
    [
      state === 'active'
        ? { name: 'Switch off', icon: 'moon', run: () => deactivate({ agent_id }) }
        : { name: 'Switch on', icon: 'sun', run: () => enable({ agent_id }) },
      ...(kind === 'external' && agent.hasMcpToken
        ? [{ name: 'End its token…', icon: 'blocked' as const, run: () => ask('revoke') }]
        : []),
      ...(state === 'archived'
        ? []
        : [{ name: 'Archive', icon: 'archive' as const, run: () => archive({ agent_id }) }]),
    ],
    [{ name: 'Delete…', icon: 'trash', grave: true, run: () => ask('delete') }],
  ]
  return {
    ...{ asked, ask, issued, setIssued, again },
    deeds: deeds.filter((group) => group.length),
  }
}

export type AgentDeeds = ReturnType<typeof useAgentDeeds>

const OF_AGENTS = /^agents\./
const isOfAgents = ({ queryKey: [name] }: { queryKey: readonly unknown[] }) =>
  OF_AGENTS.test(String(name))
