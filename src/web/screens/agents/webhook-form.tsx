import { useState } from 'react'
import { useCache, useOperationMutation } from '../../data/cache.ts'
import type { Input } from '../../data/client.ts'
import type { Agent } from '../../entities/agent/descriptions.ts'
import type { Me } from '../../entities/user/me.ts'
import { Check, SelectField, TextField } from '../../kit/field.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { DEFAULT_EVENTS, EVENTS } from './events.ts'
import './form.css'
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
  const update = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const { mutateAsync } = useOperationMutation('webhooks.configure', {
    onDone({ secret }) {
      void cache.invalidateQueries({ queryKey: ['agents.get', { agent_id }] })
      void cache.invalidateQueries({ queryKey: ['webhooks.get', { agent_id }] })
      showToast(t('agents.saved_the_webhook'))
      if (secret) onSecret(secret)
    },
  })
  const url = draft.url.trim()
  return (
    <FormDialog
      className="agent-form"
      title={t('agents.webhook_of_name', { name })}
      submitLabel={t('common.save')}
      disabled={!url || !draft.events.length}
      onSubmit={() => mutateAsync({ agent_id, ...draft, url })}
      onClose={onClose}
    >
      <TextField
        label={t('agents.address')}
        name="url"
        type="url"
        inputMode="url"
        placeholder={t('agents.https_example_com_hook')}
        maxLength={2000}
        required
        value={draft.url}
        onChange={(next) => update({ url: next })}
      />
      <Events selected={draft.events} onChange={(events) => update({ events })} />
      <Restriction {...{ me, agent, draft, update }} />
    </FormDialog>
  )
}

interface EventsProps {
  selected: readonly string[]
  onChange(selected: string[]): void
}

const Events = ({ selected, onChange }: EventsProps) => (
  <fieldset>
    <legend>{t('agents.send_a_message_when')}</legend>
    <div className="scopes">
      {EVENTS.map(([event, description]) => (
        <Check
          key={event}
          checked={selected.includes(event)}
          onChange={(isOn) =>
            onChange(isOn ? [...selected, event] : selected.filter((one) => one !== event))
          }
        >
          <span>
            {description} <code>{event}</code>
          </span>
        </Check>
      ))}
    </div>
  </fieldset>
)

interface RestrictionProps {
  me: Me
  agent: Agent
  draft: Draft
  update(change: Partial<Draft>): void
}

const Restriction = ({ me, agent, draft, update }: RestrictionProps) => (
  <>
    <SelectField
      label={t('common.boards')}
      value={draft.project_id}
      choices={[
        [null, t('agents.all_boards_that_it_can_see')],
        ...me.boards
          .filter(({ team_id }) => team_id === agent.team_id)
          .map(({ project_id, title }) => [project_id, title] as const),
      ]}
      onPick={(project_id) => update({ project_id })}
    />
    <Check checked={draft.active} onChange={(active) => update({ active })}>
      {t('agents.active_messages_are_sent_at_once')}
    </Check>
  </>
)
