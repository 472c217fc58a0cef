import { useState } from 'react'
import { patchQuery, useOperation, useOperationMutation } from '../../data/cache.ts'
import type { Input, Output } from '../../data/client.ts'
import { basePath } from '../../kit/base-path.ts'
import { agoText } from '../../kit/dates.ts'
import { Check, SelectField } from '../../kit/field.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { showError } from '../../kit/toasts.tsx'
import { rich, t } from '../../messages/t.ts'
import { InstallApp } from './channels/install.tsx'
import { PERSONAL_EVENTS } from './channels/names.ts'
import { ChannelSettings } from './channels/quiet-hours.tsx'
import { Channels } from './channels/section.tsx'
import { ThisBrowser } from './channels/this-browser.tsx'
import { KindsForm } from './kinds.tsx'
import type { PartProps } from './part-props.ts'
import { SettingRow, SettingsPage, SettingsSection } from './parts.tsx'

type Mail = Output<'mail.get'>
type Changes = Input<'mail.update'>

const HOURS = Array.from(
  { length: 24 },
  (_, hour) => [hour, `${String(hour).padStart(2, '0')}:00`] as const,
)

export default function Notifications({ me }: PartProps) {
  const mailQuery = useOperation('mail.get', {})
  const { data: mail } = mailQuery
  return (
    <SettingsPage
      title={t('settings.notifications')}
      about={t('settings.all_notifications_appear_in_your_inbox')}
    >
      <Channels
        owner={{}}
        events={PERSONAL_EVENTS}
        about={t('settings.channels_send_notifications_to_your_devices')}
        serverUrl={me.server.url}
        hasInbox
      >
        {(channels) => (
          <>
            <ThisBrowser channels={channels} />
            <InstallApp />
          </>
        )}
      </Channels>
      <ChannelSettings me={me} />
      <LoadError of={mailQuery} what={t('settings.your_settings')} />
      {mail && <MailSettings mail={mail} />}
    </SettingsPage>
  )
}

function useMailUpdate() {
  const { mutate } = useOperationMutation('mail.update', {
    line: 'mail',
    optimistic: ({ kinds, ...changes }) =>
      patchQuery('mail.get', {}, (mail) => ({ ...mail, ...changes, ...(kinds && { kinds }) })),
    onLast: (mail) => void patchQuery('mail.get', {}, () => mail),
    onFailed: showError,
  })
  return mutate
}

function MailSettings({ mail }: { mail: Mail }) {
  const change = useMailUpdate()
  const { mode, available, address } = mail
  return (
    <>
      {!available && <Unavailable />}
      <SettingsSection title={t('settings.email')}>
        <ModeField mail={mail} change={change} />
        {mode === 'daily' && <HourField mail={mail} change={change} />}
        <SettingRow
          label={t('settings.address')}
          hint={t('settings.the_email_that_you_sign_in_with')}
        >
          <span>{address}</span>
        </SettingRow>
        {available && mode !== 'off' && <MailState mail={mail} />}
        {available && <TestMail />}
      </SettingsSection>
      {mode !== 'off' && (
        <SettingsSection
          title={t('settings.send_email_for')}
          about={t('settings.other_notifications_only_appear_in_your')}
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
    {rich('settings.email_is_not_set_up_on_this', {
      code: <code>{t('settings.cork_smtp_url')}</code>,
      a: <a href={`${basePath}/docs/manual/email`}>{t('settings.how_to_set_up_email')}</a>,
    })}
  </p>
)

const MODES = [
  ['off', t('settings.never')],
  ['now', t('settings.immediately'), t('settings.within_a_minute_or_two')],
  ['daily', t('settings.once_a_day'), t('settings.everything_in_one_email')],
] as const

interface Props {
  mail: Mail
  change(changes: Changes): void
}

const ModeField = ({ mail, change }: Props) => (
  <SettingRow label={t('settings.when')}>
    <fieldset>
      <legend className="unseen">{t('settings.when')}</legend>
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
    label={t('settings.time_of_day')}
    hint={t('settings.in_your_time_zone', {
      zone: mail.time_zone.replaceAll('_', ' '),
    })}
    value={mail.hour}
    choices={HOURS}
    onPick={(hour) => change({ hour })}
  />
)

/** The last and the next email. */
function MailState({ mail: { next_at, last_sent_at, last_error } }: { mail: Mail }) {
  const sentences = [
    last_sent_at
      ? t('settings.last_sent_short', { short: agoText(last_sent_at).short })
      : t('settings.none_sent_yet'),
    next_at && t('settings.next_on_full', { full: agoText(next_at).full }),
  ]
  return (
    <SettingRow label={t('settings.emails')}>
      <p>{sentences.filter(Boolean).join(' ')}</p>
      {last_error && (
        <p className="form-error">{t('settings.last_email_failed_last_error', { last_error })}</p>
      )}
    </SettingRow>
  )
}

/** Sends a test email and shows the mail server's response. */
function TestMail() {
  const [result, setResult] = useState<Output<'mail.test'>>()
  const { mutate, busy } = useOperationMutation('mail.test', {
    onDone: setResult,
    onFailed: showError,
  })
  return (
    <SettingRow label={t('settings.test')} hint={t('settings.sends_you_an_email_now')}>
      <button type="button" className="button plain" disabled={busy} onClick={() => mutate({})}>
        {t('settings.send_test_email')}
      </button>
      <div role="status">
        {result && (
          <p className={result.sent ? 'status good' : 'form-error'}>
            {result.sent && t('settings.sent_to_address', { address: result.address })}{' '}
            {result.said}
          </p>
        )}
      </div>
    </SettingRow>
  )
}
