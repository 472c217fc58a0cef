import { useState } from 'react'
import { useAct, useCache } from '../data/cache.ts'
import { type Input, wordsOf } from '../data/client.ts'
import type { Me } from '../frame/places.ts'
import { say } from '../frame/toasts.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { EVENTS, USUAL } from './events.ts'
import { Refusal } from './refusal.tsx'
import type { Hook } from './webhook.tsx'
import type { Agent } from './words.ts'

interface Props {
  me: Me
  agent: Agent
  hook: Hook | undefined
  onClose(): void
  onSecret(secret: string): void
}

type Draft = Required<Pick<Input<'webhooks.configure'>, 'url' | 'events' | 'active' | 'project_id'>>

/** The address that is called, of what, and whether now. */
export function WebhookForm({ me, agent, hook, onClose, onSecret }: Props) {
  const { agent_id, name } = agent
  const cache = useCache()
  const [draft, setDraft] = useState<Draft>({
    url: hook?.url ?? '',
    events: [...(hook?.events ?? USUAL)],
    active: hook?.active ?? true,
    project_id: hook?.project_id ?? null,
  })
  const [words, setWords] = useState('')
  const put = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const { act, busy } = useAct('webhooks.configure', {
    done({ secret }) {
      void cache.invalidateQueries({ queryKey: ['agents.get', { agent_id }] })
      void cache.invalidateQueries({ queryKey: ['webhooks.get', { agent_id }] })
      onClose()
      say('Saved the webhook')
      if (secret) onSecret(secret)
    },
    failed: (error) => setWords(wordsOf(error)),
  })
  const isWhole = draft.url.trim() !== '' && draft.events.length > 0
  return (
    <Dialog open onClose={onClose} title={`Webhook of ${name}`}>
      <form
        className="agent-ask"
        onSubmit={(event) => {
          event.preventDefault()
          setWords('')
          if (isWhole) act({ agent_id, ...draft, url: draft.url.trim() })
        }}
      >
        <Address url={draft.url} isWrong={words !== ''} onChange={(url) => put({ url })} />
        <Refusal words={words} />
        <Events chosen={draft.events} onChange={(events) => put({ events })} />
        <Restriction me={me} agent={agent} draft={draft} onChange={put} />
        <footer>
          <button type="submit" className="button main" disabled={busy || !isWhole}>
            Save
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

interface AddressProps {
  url: string
  isWrong: boolean
  onChange(url: string): void
}

const Address = ({ url, isWrong, onChange }: AddressProps) => (
  <label className="labelled">
    Address
    <input
      className="field"
      type="url"
      inputMode="url"
      placeholder="https://example.com/hook"
      maxLength={2000}
      required
      aria-invalid={isWrong}
      value={url}
      onChange={({ target }) => onChange(target.value)}
    />
  </label>
)

interface EventsProps {
  chosen: readonly string[]
  onChange(chosen: string[]): void
}

const Events = ({ chosen, onChange }: EventsProps) => (
  <fieldset>
    <legend>It is called when</legend>
    <div className="scopes">
      {EVENTS.map(([event, words]) => (
        <label key={event} className="check">
          <input
            type="checkbox"
            checked={chosen.includes(event)}
            onChange={() =>
              onChange(
                chosen.includes(event) ? chosen.filter((one) => one !== event) : [...chosen, event],
              )
            }
          />
          <span>
            {words} <code>{event}</code>
          </span>
        </label>
      ))}
    </div>
  </fieldset>
)

interface RestrictionProps {
  me: Me
  agent: Agent
  draft: Draft
  onChange(change: Partial<Draft>): void
}

const Restriction = ({ me, agent, draft, onChange }: RestrictionProps) => (
  <>
    <label className="labelled">
      Of which boards
      <select
        className="field"
        value={draft.project_id ?? ''}
        onChange={({ target }) => onChange({ project_id: Number(target.value) || null })}
      >
        <option value="">All that it sees</option>
        {me.boards
          .filter(({ team_id }) => team_id === agent.team_id)
          .map(({ project_id, title }) => (
            <option key={project_id} value={project_id}>
              {title}
            </option>
          ))}
      </select>
    </label>
    <label className="check">
      <input
        type="checkbox"
        checked={draft.active}
        onChange={({ target }) => onChange({ active: target.checked })}
      />
      Active: messages are sent as they come
    </label>
  </>
)
