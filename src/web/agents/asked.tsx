import { useState } from 'react'
import { useAct } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import type { Me } from '../frame/places.ts'
import { say } from '../frame/toasts.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Configured } from '../start/configured.tsx'
import { lostToken, Once } from '../start/once.tsx'
import type { AgentDeeds } from './deeds.ts'
import './asking.css'
import { EditAgent } from './edit.tsx'
import { Refusal } from './refusal.tsx'
import type { Agent } from './words.ts'

interface Props {
  me: Me
  agent: Agent
  of: AgentDeeds
  onGone(): void
}

/** What stands above the page about an agent: questions, its form, and a token that is shown once. */
export function Above({ me, agent, of, onGone }: Props) {
  const { asked, ask, issued, setIssued } = of
  const close = () => ask(undefined)
  if (issued)
    return (
      <Once
        title={`Connect ${issued.name}`}
        lost={lostToken(issued.name)}
        onClose={() => setIssued(undefined)}
      >
        {(keeping) => (
          <Configured {...keeping} agent={issued} url={me.server.mcp_url} board={undefined} />
        )}
      </Once>
    )
  if (asked === 'edit') return <EditAgent me={me} agent={agent} onClose={close} />
  if (asked === 'rotate') return <Rotate agent={agent} of={of} />
  if (asked === 'revoke') return <Revoke agent={agent} of={of} />
  if (asked === 'delete') return <Delete agent={agent} of={of} onGone={onGone} />
  return null
}

interface QuestionProps {
  agent: Agent
  of: AgentDeeds
}

function Rotate({ agent: { agent_id, name, hasMcpToken }, of }: QuestionProps) {
  const [words, setWords] = useState('')
  const { act, busy } = useAct('agents.rotate', {
    done(made) {
      of.ask(undefined)
      of.setIssued(made)
    },
    failed: (error) => setWords(wordsOf(error)),
  })
  return (
    <Dialog open onClose={() => of.ask(undefined)} title={`A new token for ${name}?`}>
      <div className="agent-ask">
        <p>
          {hasMcpToken
            ? `The token that ${name} has now ends at once. Whatever runs with it is refused until it has the new one.`
            : `${name} has no token now. The new one is shown this once.`}
        </p>
        <Refusal words={words} />
        <button
          type="button"
          className="button main"
          disabled={busy}
          onClick={() => act({ agent_id })}
        >
          Make a new token
        </button>
      </div>
    </Dialog>
  )
}

function Revoke({ agent: { agent_id, name }, of }: QuestionProps) {
  const [words, setWords] = useState('')
  const { act, busy } = useAct('agents.revoke', {
    done() {
      of.ask(undefined)
      of.again()
      say(`Ended the token of ${name}`)
    },
    failed: (error) => setWords(wordsOf(error)),
  })
  return (
    <Dialog open onClose={() => of.ask(undefined)} title={`End the token of ${name}?`}>
      <div className="agent-ask">
        <p>
          It ends at once and for good. {name} is switched off and gives back what it holds;
          switched on again, it gets another token.
        </p>
        <Refusal words={words} />
        <button
          type="button"
          className="button main"
          disabled={busy}
          onClick={() => act({ agent_id })}
        >
          End the token
        </button>
      </div>
    </Dialog>
  )
}

/** Nothing brings it back, so its name is asked for. */
function Delete({ agent: { agent_id, name }, of, onGone }: QuestionProps & { onGone(): void }) {
  const [typed, setTyped] = useState('')
  const [words, setWords] = useState('')
  const { act, busy } = useAct('agents.delete', {
    done() {
      of.ask(undefined)
      of.again()
      say(`Deleted ${name}`)
      onGone()
    },
    failed: (error) => setWords(wordsOf(error)),
  })
  const isMeant = typed.trim() === name
  return (
    <Dialog open onClose={() => of.ask(undefined)} title={`Delete ${name}?`}>
      <form
        className="agent-ask"
        onSubmit={(event) => {
          event.preventDefault()
          if (isMeant) act({ agent_id })
        }}
      >
        <p>
          It is gone for good, with its token and its webhook. What it wrote stays, under its name.
          Archive it instead to be able to bring it back.
        </p>
        <label className="labelled">
          Type its name to go on: {name}
          <input
            className="field"
            autoComplete="off"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </label>
        <Refusal words={words} />
        <button type="submit" className="button main grave" disabled={busy || !isMeant}>
          Delete {name}
        </button>
      </form>
    </Dialog>
  )
}
