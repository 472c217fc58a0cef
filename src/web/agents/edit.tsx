import { useState } from 'react'
import { useAct, useAsk, useCache } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import type { Me } from '../frame/places.ts'
import { say } from '../frame/toasts.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { type Draft, Fields } from './form.tsx'
import { Instructions, useInstructions } from './native.tsx'
import { Refusal } from './refusal.tsx'
import type { Agent } from './words.ts'

interface Props {
  me: Me
  agent: Agent
  onClose(): void
}

/** Another name, other scopes, boards or instructions, from the agent's next request on. */
export function EditAgent({ me, agent, onClose }: Props) {
  const { agent_id, team_id, name, kind, scopes, project_ids } = agent
  const isNative = kind === 'native'
  // Lists leave them out.
  const { data: whole } = useAsk('agents.get', { agent_id }, { enabled: isNative })
  const typing = useInstructions(agent_id)
  const [draft, setDraft] = useState<Draft>({ name, scopes, project_ids })
  const [words, setWords] = useState('')
  const cache = useCache()
  const { act, busy } = useAct('agents.update', {
    done({ changed }) {
      typing.drop()
      void cache.invalidateQueries({ queryKey: ['agents.get'] })
      if (changed.length) say(`Saved ${draft.name.trim()}`)
      onClose()
    },
    failed: (error) => setWords(wordsOf(error)),
  })
  const isWhole = draft.name.trim() && draft.scopes.length && draft.project_ids?.length !== 0
  return (
    <Dialog open onClose={onClose} title={`Edit ${name}`}>
      <form
        className="agent-ask"
        onSubmit={(event) => {
          event.preventDefault()
          if (isWhole)
            act({
              ...{ agent_id, ...given(draft) },
              ...(typing.typed !== undefined && { instructions: typing.typed }),
            })
        }}
      >
        <Fields {...{ me, team_id, draft, agent }} onChange={setDraft} />
        {isNative && whole && <Instructions stored={whole.instructions} typing={typing} />}
        <Refusal words={words} />
        <footer>
          <button type="submit" className="button main" disabled={busy || !isWhole}>
            Save
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

export const given = ({ name, scopes, project_ids }: Draft) => ({
  ...{ name: name.trim(), scopes: [...scopes] },
  project_ids: project_ids && [...project_ids],
})
