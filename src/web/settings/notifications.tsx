import { useState } from 'react'
import { keyOf, useAct, useAsk, useCache } from '../data/cache.ts'
import type { Input, Output } from '../data/client.ts'
import { agoWords } from '../parts/dates.ts'
import { LoadError } from '../parts/load-error.tsx'
import './forms.css'
import { Kinds } from './kinds.tsx'
import { failed } from './own.ts'
import { Group, Part, Row } from './parts.tsx'
import type { PartProps } from './screen.tsx'

type Mail = Output<'mail.get'>
type Changes = Input<'mail.update'>

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

export default function Notifications(_: PartProps) {
  const found = useAsk('mail.get', {})
  const { data: mail } = found
  return (
    <Part
      title="Notifications"
      about="What concerns you is in your inbox, whatever you choose here. This is about mail."
    >
      <LoadError of={found} what="your settings" />
      {mail && <Mails mail={mail} />}
    </Part>
  )
}

function useMail() {
  const cache = useCache()
  const key = keyOf('mail.get', {})
  const { act } = useAct('mail.update', {
    line: 'mail',
    ahead({ kinds, ...changes }) {
      const before = cache.getQueryData<Mail>(key)
      const after = { ...changes, ...(kinds && { kinds }) }
      if (before) cache.setQueryData<Mail>(key, { ...before, ...after })
      return () => void cache.setQueryData(key, before)
    },
    done: (mail) => void cache.setQueryData(key, mail),
    failed,
  })
  return act
}

function Mails({ mail }: { mail: Mail }) {
  const change = useMail()
  const { mode, available, address } = mail
  return (
    <>
      {!available && <Unavailable />}
      <Group title="Mail">
        <Modes mail={mail} change={change} />
        {mode === 'daily' && <Hour mail={mail} change={change} />}
        <Row label="Goes to" hint="The e-mail that you sign in with.">
          <span>{address}</span>
        </Row>
        {available && mode !== 'off' && <State mail={mail} />}
        {available && <Trial />}
      </Group>
      {mode !== 'off' && (
        <Group title="What is mailed" about="The rest stays in your inbox.">
          <Kinds kinds={mail.kinds} change={(kinds) => change({ kinds })} />
        </Group>
      )}
    </>
  )
}

/** What whoever runs the server can do about it. */
const Unavailable = () => (
  <p className="status">
    This server has no mail server, so nothing is mailed. Whoever runs it can name one with{' '}
    <code>CORK_SMTP_URL</code>: <a href="/docs/manual/operating#mail">how to set up mail</a>.
  </p>
)

const MODES = [
  ['off', 'No mail'],
  ['now', 'At once', 'within a minute or two'],
  ['daily', 'Once a day', 'all of it in one letter'],
] as const

interface Props {
  mail: Mail
  change(changes: Changes): void
}

const Modes = ({ mail, change }: Props) => (
  <Row label="When">
    <fieldset>
      <legend className="unseen">When</legend>
      {MODES.map(([mode, name, about]) => (
        <label key={mode} className="tick">
          <input
            type="radio"
            name="mode"
            checked={mail.mode === mode}
            onChange={() => change({ mode })}
          />
          {name} {about && <span className="soft">{about}</span>}
        </label>
      ))}
    </fieldset>
  </Row>
)

const Hour = ({ mail, change }: Props) => (
  <Row label="At" id="mail-hour" hint={`By the clock of ${mail.time_zone.replaceAll('_', ' ')}.`}>
    <select
      id="mail-hour"
      className="field"
      aria-describedby="mail-hour-hint"
      value={mail.hour}
      onChange={({ target }) => change({ hour: Number(target.value) })}
    >
      {HOURS.map((hour) => (
        <option key={hour} value={hour}>
          {String(hour).padStart(2, '0')}:00
        </option>
      ))}
    </select>
  </Row>
)

/** How it went last, and what waits. */
function State({ mail: { next_at, last_sent_at, last_error } }: { mail: Mail }) {
  const words = [
    last_sent_at ? `The last one went out ${agoWords(last_sent_at).short}.` : 'None went out yet.',
    next_at && `The next one goes out on ${agoWords(next_at).full}.`,
  ]
  return (
    <Row label="Letters">
      <p>{words.filter(Boolean).join(' ')}</p>
      {last_error && <p className="wrong">The last one failed: {last_error}</p>}
    </Row>
  )
}

/** Sends one now, and tells what the mail server said. */
function Trial() {
  const [told, setTold] = useState<Output<'mail.test'>>()
  const { act, busy } = useAct('mail.test', { done: setTold, failed })
  return (
    <Row label="Try it" hint="Sends a letter to you now.">
      <button type="button" className="button plain" disabled={busy} onClick={() => act({})}>
        Send a test
      </button>
      <div role="status">
        {told && (
          <p className={told.sent ? 'status good' : 'wrong'}>
            {told.sent ? `Sent to ${told.address}. ` : ''}
            {told.said}
          </p>
        )}
      </div>
    </Row>
  )
}
