import { useState } from 'react'
import { patchQuery, useOperation, useOperationMutation } from '../../data/cache.ts'
import type { Input, Output } from '../../data/client.ts'
import { agoWords } from '../../kit/dates.ts'
import { Check, SelectField } from '../../kit/field.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { showError } from '../../kit/toasts.tsx'
import { KindsForm } from './kinds.tsx'
import type { PartProps } from './part-props.ts'
import { SettingRow, SettingsPage, SettingsSection } from './parts.tsx'

type Mail = Output<'mail.get'>
type Changes = Input<'mail.update'>

const HOURS = Array.from(
  { length: 24 },
  (_, hour) => [hour, `${String(hour).padStart(2, '0')}:00`] as const,
)

export default function Notifications(_: PartProps) {
  const mailQuery = useOperation('mail.get', {})
  const { data: mail } = mailQuery
  return (
    <SettingsPage
      title="Notifications"
      about="All notifications appear in your inbox. Select here which ones you also get by email."
    >
      <LoadError of={mailQuery} what="your settings" />
      {mail && <MailSettings mail={mail} />}
    </SettingsPage>
  )
}

function useMailUpdate() {
  const { act } = useOperationMutation('mail.update', {
    line: 'mail',
    optimistic: ({ kinds, ...changes }) =>
      patchQuery('mail.get', {}, (mail) => ({ ...mail, ...changes, ...(kinds && { kinds }) })),
    onLast: (mail) => void patchQuery('mail.get', {}, () => mail),
    onFailed: showError,
  })
  return act
}

function MailSettings({ mail }: { mail: Mail }) {
  const change = useMailUpdate()
  const { mode, available, address } = mail
  return (
    <>
      {!available && <Unavailable />}
      <SettingsSection title="Email">
        <ModeField mail={mail} change={change} />
        {mode === 'daily' && <HourField mail={mail} change={change} />}
        <SettingRow label="Address" hint="The email that you sign in with.">
          <span>{address}</span>
        </SettingRow>
        {available && mode !== 'off' && <MailState mail={mail} />}
        {available && <TestMail />}
      </SettingsSection>
      {mode !== 'off' && (
        <SettingsSection
          title="Send email for"
          about="Other notifications only appear in your inbox."
        >
          <KindsForm kinds={mail.kinds} change={(kinds) => change({ kinds })} />
        </SettingsSection>
      )}
    </>
  )
}

/** Tells the server's operator how to set up email. */
const Unavailable = () => (
  <p className="status">
    Email is not set up on this server. Its operator can name a mail server with{' '}
    <code>CORK_SMTP_URL</code>: <a href="/docs/manual/email">how to set up email</a>.
  </p>
)

const MODES = [
  ['off', 'Never'],
  ['now', 'Immediately', 'within a minute or two'],
  ['daily', 'Once a day', 'everything in one email'],
] as const

interface Props {
  mail: Mail
  change(changes: Changes): void
}

const ModeField = ({ mail, change }: Props) => (
  <SettingRow label="When">
    <fieldset>
      <legend className="unseen">When</legend>
      {MODES.map(([mode, name, about]) => (
        <Check
          key={mode}
          name="mode"
          checked={mail.mode === mode}
          onChange={() => change({ mode })}
        >
          {name} {about && <span className="soft">{about}</span>}
        </Check>
      ))}
    </fieldset>
  </SettingRow>
)

const HourField = ({ mail, change }: Props) => (
  <SelectField
    className="row"
    label="Time"
    hint={`In your time zone, ${mail.time_zone.replaceAll('_', ' ')}.`}
    value={mail.hour}
    choices={HOURS}
    onPick={(hour) => change({ hour })}
  />
)

/** The last and the next email. */
function MailState({ mail: { next_at, last_sent_at, last_error } }: { mail: Mail }) {
  const sentences = [
    last_sent_at ? `Last sent ${agoWords(last_sent_at).short}.` : 'None sent yet.',
    next_at && `Next on ${agoWords(next_at).full}.`,
  ]
  return (
    <SettingRow label="Emails">
      <p>{sentences.filter(Boolean).join(' ')}</p>
      {last_error && <p className="form-error">Last email failed: {last_error}</p>}
    </SettingRow>
  )
}

/** Sends a test email and shows the mail server's response. */
function TestMail() {
  const [result, setResult] = useState<Output<'mail.test'>>()
  const { act, busy } = useOperationMutation('mail.test', {
    onDone: setResult,
    onFailed: showError,
  })
  return (
    <SettingRow label="Test" hint="Sends you an email now.">
      <button type="button" className="button plain" disabled={busy} onClick={() => act({})}>
        Send test email
      </button>
      <div role="status">
        {result && (
          <p className={result.sent ? 'status good' : 'form-error'}>
            {result.sent ? `Sent to ${result.address}. ` : ''}
            {result.said}
          </p>
        )}
      </div>
    </SettingRow>
  )
}
