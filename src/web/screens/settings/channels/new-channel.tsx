import { useState } from 'react'
import { callOperation, newIdempotencyKey, type Output } from '../../../data/client.ts'
import { SelectField, TextField } from '../../../kit/field.tsx'
import { Form, FormFooter } from '../../../kit/form.tsx'
import { t } from '../../../messages/t.ts'
import { type ChannelKind, type NewChannel, type Owner, reloadChannels } from './data.ts'
import { KIND_NAMES } from './names.ts'
import { WebhookSecret } from './webhook-secret.tsx'

/** A browser subscribes itself; all other kinds are entered. */
type EnteredKind = Exclude<ChannelKind, 'push'>
const KINDS: readonly EnteredKind[] = [
  ...(['ntfy', 'slack', 'discord', 'mattermost', 'webhook', 'apprise'] as const),
]

type FieldName = 'url' | 'topic' | 'token' | 'signing_secret' | 'urls' | 'tags'
interface FieldSpec {
  name: FieldName
  label: string
  hint?: string
  placeholder?: string
  optional?: true
  secret?: true
}

const webhookUrl = (placeholder: string): FieldSpec => ({
  ...{ name: 'url', label: t('settings.webhook_url'), placeholder },
})

const FIELDS: Record<EnteredKind, readonly FieldSpec[]> = {
  ntfy: [
    { name: 'url', label: t('settings.server'), placeholder: 'https://ntfy.sh' },
    { name: 'topic', label: t('settings.topic'), hint: t('settings.who_knows_it_can_read') },
    { name: 'token', label: t('settings.access_token_optional'), optional: true, secret: true },
  ],
  slack: [
    webhookUrl('https://hooks.slack.com/services/…'),
    {
      ...{ name: 'signing_secret', optional: true, secret: true },
      label: t('settings.signing_secret_optional'),
      hint: t('settings.lets_buttons_answer_in_slack'),
    },
  ],
  discord: [webhookUrl('https://discord.com/api/webhooks/…')],
  mattermost: [webhookUrl('https://mattermost.example.com/hooks/…')],
  webhook: [webhookUrl('https://example.com/hook')],
  apprise: [
    { name: 'url', label: t('settings.server'), placeholder: 'https://apprise.example.com/notify' },
    { name: 'urls', label: t('settings.apprise_urls_optional'), optional: true, secret: true },
    { name: 'tags', label: t('settings.apprise_tags_optional'), optional: true },
  ],
}

const EMPTY: Record<FieldName, string> = {
  ...{ url: '', topic: '', token: '', signing_secret: '', urls: '', tags: '' },
}

type Created = Output<'channels.create'>

/** Adds a channel that is not this browser. */
export function NewChannelForm({ owner, onClose }: { owner: Owner; onClose(): void }) {
  const [kind, setKind] = useState<EnteredKind>('ntfy')
  const [values, setValues] = useState(EMPTY)
  const [created, setCreated] = useState<Created>()
  const create = async () => {
    const channel = await callOperation('channels.create', inputOf(owner, kind, values), {
      key: newIdempotencyKey(),
    })
    reloadChannels()
    if (channel.secret) setCreated(channel)
    else onClose()
  }
  if (created?.secret) return <WebhookSecret secret={created.secret} onClose={onClose} />
  return (
    <Form label={t('settings.add_channel')} onSubmit={create}>
      <div className="fields">
        <SelectField
          label={t('settings.kind')}
          value={kind}
          choices={KINDS.map((one) => [one, KIND_NAMES[one]] as const)}
          onPick={setKind}
        />
        {fieldsOf(kind, owner).map(({ name, secret, optional, ...field }) => (
          <TextField
            {...{ name, ...field }}
            key={`${kind} ${name}`}
            type={secret ? 'password' : name === 'url' ? 'url' : 'text'}
            required={!optional}
            maxLength={name === 'topic' ? 64 : 2000}
            autoComplete={secret ? 'new-password' : 'off'}
            value={values[name]}
            onChange={(text) => setValues((before) => ({ ...before, [name]: text }))}
          />
        ))}
      </div>
      <FormFooter onCancel={onClose}>{t('settings.add_channel')}</FormFooter>
    </Form>
  )
}

/** Buttons answer in the name of a person, so shared channels have none. */
const fieldsOf = (kind: EnteredKind, { project_id, team_id }: Owner) =>
  FIELDS[kind].filter(({ name }) => name !== 'signing_secret' || (!project_id && !team_id))

function inputOf(owner: Owner, kind: EnteredKind, values: Record<FieldName, string>): NewChannel {
  const filled = FIELDS[kind].flatMap(({ name }) =>
    values[name].trim() ? [[name, values[name].trim()] as const] : [],
  )
  return { ...owner, kind, ...Object.fromEntries(filled) }
}
