import { useState } from 'react'
import { useCache, useOperationMutation } from '../../data/cache.ts'
import type { Input } from '../../data/client.ts'
import { Refusal } from '../../entities/agent/refusal.tsx'
import type { Agent } from '../../entities/agent/words.ts'
import type { Me } from '../../entities/user/me.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { errorText } from '../../kit/errors.ts'
import { showToast } from '../../kit/toasts.tsx'
import { DEFAULT_EVENTS, EVENTS } from './events.ts'
import type { Hook } from './types.ts'

interface Props {
  me: Me
  agent: Agent
  hook: Hook | undefined
  onClose(): void
  onSecret(secret: string): void
}

type Draft = Required<Pick<Input<'webhooks.configure'>, 'url' | 'events' | 'active' | 'project_id'>>

/** Edits a webhook: its URL, its events and whether it is active. */
export function WebhookForm({ me, agent, hook, onClose, onSecret }: Props) {
  const { agent_id, name } = agent
  const cache = useCache()
  const [draft, setDraft] = useState<Draft>({
    url: hook?.url ?? '',
    events: [...(hook?.events ?? DEFAULT_EVENTS)],
    active: hook?.active ?? true,
    project_id: hook?.project_id ?? null,
  })
  const [error, setError] = useState('')
  const put = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const { act, busy } = useOperationMutation('webhooks.configure', {
    onDone({ secret }) {
      void cache.invalidateQueries({ queryKey: ['agents.get', { agent_id }] })
      void cache.invalidateQueries({ queryKey: ['webhooks.get', { agent_id }] })
      onClose()
      showToast('Saved the webhook')
      if (secret) onSecret(secret)
    },
    onFailed: (failure) => setError(errorText(failure)),
  })
  const isComplete = draft.url.trim() !== '' && draft.events.length > 0
  return (
    <Dialog open onClose={onClose} title={`Webhook of ${name}`}>
      <form
        className="agent-ask"
        onSubmit={(event) => {
          event.preventDefault()
          setError('')
          if (isComplete) act({ agent_id, ...draft, url: draft.url.trim() })
        }}
      >
        <Address url={draft.url} isWrong={error !== ''} onChange={(url) => put({ url })} />
        <Refusal words={error} />
        <Events selected={draft.events} onChange={(events) => put({ events })} />
        <Restriction me={me} agent={agent} draft={draft} onChange={put} />
        <footer>
          <button type="submit" className="button main" disabled={busy || !isComplete}>
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
  selected: readonly string[]
  onChange(selected: string[]): void
}

const Events = ({ selected, onChange }: EventsProps) => (
  <fieldset>
    <legend>Send a message when</legend>
    <div className="scopes">
      {EVENTS.map(([event, words]) => (
        <label key={event} className="check">
          <input
            type="checkbox"
            checked={selected.includes(event)}
            onChange={() =>
              onChange(
                selected.includes(event)
                  ? selected.filter((one) => one !== event)
                  : [...selected, event],
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
      Boards
      <select
        className="field"
        value={draft.project_id ?? ''}
        onChange={({ target }) => onChange({ project_id: Number(target.value) || null })}
      >
        <option value="">All boards that it can see</option>
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
      Active: messages are sent at once
    </label>
  </>
)
