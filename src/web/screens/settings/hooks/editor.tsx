import { useState } from 'react'
import { callOperation, newIdempotencyKey } from '../../../data/client.ts'
import { sendWrite } from '../../../data/write-queue.ts'
import { Check, TextField } from '../../../kit/field.tsx'
import { Form, FormFooter } from '../../../kit/form.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { PickMany } from '../../../kit/pick.tsx'
import { showToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import { EVENTS, hostOf, type Place, reloadWebhooks, type Webhook } from './data.ts'

interface Props {
  place: Place
  /** Absent for a new one. */
  webhook?: Webhook
  sections: readonly { value: number; name: string }[]
  labels: readonly { value: number; name: string }[]
  onSecret(created: { host: string; secret: string }): void
  onClose(): void
}

/** Where a webhook sends, which events, and of which tasks. */
export function WebhookEditor({ place, webhook, sections, labels, onSecret, onClose }: Props) {
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [events, setEvents] = useState<readonly string[]>(webhook?.events ?? ['task.created'])
  const [section_ids, setSections] = useState<number[]>(webhook?.section_ids ?? [])
  const [label_ids, setLabels] = useState<number[]>(webhook?.label_ids ?? [])
  const save = async () => {
    const isBoard = 'project_id' in place
    const filters = isBoard && { section_ids: orAll(section_ids), label_ids: orAll(label_ids) }
    const settings = { ...place, url: url.trim(), events: [...events], ...filters }
    await store(settings, webhook, onSecret)
    reloadWebhooks()
    onClose()
  }
  return (
    <Form className="form hook-editor" label={t('rules.webhook')} onSubmit={save}>
      <TextField
        label={t('settings.address')}
        name="url"
        type="url"
        maxLength={2000}
        autoComplete="off"
        required
        value={url}
        onChange={setUrl}
      />
      <fieldset className="choice-grid">
        <legend>{t('hooks.events')}</legend>
        {EVENTS.map((name) => (
          <Check
            key={name}
            checked={events.includes(name)}
            onChange={(isChecked) =>
              setEvents(isChecked ? [...events, name] : events.filter((one) => one !== name))
            }
          >
            <code>{name}</code>
          </Check>
        ))}
      </fieldset>
      {'project_id' in place && (
        <div className="flex-wrap">
          <Filter
            label={t('settings.columns_name')}
            all={t('hooks.all_columns')}
            {...{ values: section_ids, choices: sections, onPick: setSections }}
          />
          <Filter
            label={t('common.labels')}
            all={t('hooks.all_labels')}
            {...{ values: label_ids, choices: labels, onPick: setLabels }}
          />
        </div>
      )}
      <FormFooter onCancel={onClose} disabled={!events.length || !url.trim()}>
        {webhook ? t('common.save') : t('hooks.create_webhook')}
      </FormFooter>
    </Form>
  )
}

type Settings = Place & { url: string; events: string[] }

async function store(
  settings: Settings,
  webhook: Webhook | undefined,
  onSecret: Props['onSecret'],
) {
  if (webhook) {
    await sendWrite('board_webhooks.update', { ...settings, webhook_id: webhook.webhook_id })
    showToast(t('hooks.saved_the_webhook'))
    return
  }
  const key = newIdempotencyKey()
  const { secret } = await callOperation('board_webhooks.create', settings, { key })
  onSecret({ host: hostOf(settings), secret })
}

const orAll = (ids: number[]) => (ids.length ? ids : null)

interface FilterProps {
  label: string
  all: string
  values: number[]
  choices: Props['sections']
  onPick(values: number[]): void
}

function Filter({ label, all, values, choices, onPick }: FilterProps) {
  const names = choices.filter(({ value }) => values.includes(value)).map(({ name }) => name)
  const text = names.join(', ') || all
  return (
    <PickMany
      {...{ label, values, choices, onPick }}
      trigger={
        <button type="button" className="button plain" aria-label={`${label}: ${text}`}>
          <span dir="auto">{text}</span>
          <Icon name="chevron" />
        </button>
      }
    />
  )
}
