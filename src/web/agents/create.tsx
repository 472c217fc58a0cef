import { useState } from 'react'
import { useAct } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import type { Me } from '../frame/places.ts'
import { Configured } from '../start/configured.tsx'
import type { Issued } from '../start/naming.tsx'
import { lostToken, Once } from '../start/once.tsx'
import { given } from './edit.tsx'
import { type Draft, Fields } from './form.tsx'
import { Instructions, Kind, useInstructions } from './native.tsx'
import { Refusal } from './refusal.tsx'
import { levelsOf } from './words.ts'

interface Props {
  me: Me
  team_id: number
  onClose(): void
  onMade(agent_id: string): void
}

/** Makes an agent that may do what is chosen, and shows once how it is connected. */
export default function CreateAgent({ me, team_id, onClose, onMade }: Props) {
  const [agent, setAgent] = useState<Issued>()
  const close = () => {
    onClose()
    if (agent) onMade(agent.agent_id)
  }
  const made = (one: Issued) => {
    if (one.token) return setAgent(one)
    onClose()
    onMade(one.agent_id)
  }
  return (
    <Once
      title={agent ? `Connect ${agent.name}` : 'New agent'}
      lost={agent && lostToken(agent.name)}
      onClose={close}
    >
      {(keeping) =>
        agent ? (
          <Configured {...keeping} agent={agent} url={me.server.mcp_url} board={undefined} />
        ) : (
          <Choosing {...{ me, team_id }} onMade={made} />
        )
      }
    </Once>
  )
}

interface ChoosingProps extends Pick<Props, 'me' | 'team_id'> {
  onMade(agent: Issued): void
}

function Choosing({ me, team_id, onMade }: ChoosingProps) {
  const levels = levelsOf(new Set(me.permissions))
  const [draft, setDraft] = useState<Draft>({
    ...{ name: '', scopes: levels[1]!.scopes, project_ids: null },
  })
  const [isNative, setNative] = useState(false)
  const typing = useInstructions()
  const [words, setWords] = useState('')
  const { act, busy } = useAct('agents.create', {
    done(agent) {
      typing.drop()
      onMade(agent)
    },
    failed: (error) => setWords(wordsOf(error)),
  })
  const isWhole = draft.name.trim() && draft.scopes.length && draft.project_ids?.length !== 0
  return (
    <form
      className="agent-ask inside"
      onSubmit={(event) => {
        event.preventDefault()
        setWords('')
        const how = isNative ? ({ kind: 'native', instructions: typing.typed ?? '' } as const) : {}
        if (isWhole) act({ team_id, ...given(draft), ...how })
      }}
    >
      <Fields {...{ me, team_id, draft }} onChange={setDraft} />
      <Kind isNative={isNative} onChange={setNative} />
      {isNative && <Instructions typing={typing} />}
      <Refusal words={words} />
      <footer>
        <button type="submit" className="button main" disabled={busy || !isWhole}>
          Make the agent
        </button>
      </footer>
    </form>
  )
}
