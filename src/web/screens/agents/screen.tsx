import { useRoute } from 'wouter'
import type { Me } from '../../entities/user/me.ts'
import './agents.css'
import { AgentsList } from './list.tsx'
import { AgentPage } from './page.tsx'

/** The list of agents, or the page of one. */
export default function Agents({ me }: { me: Me }) {
  const [, params] = useRoute('/agents/:id')
  return params ? (
    <AgentPage key={params.id} me={me} agent_id={params.id} />
  ) : (
    <AgentsList me={me} />
  )
}
