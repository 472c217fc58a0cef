import { useAct, useAsk, useCache } from '../data/cache.ts'
import type { Output } from '../data/client.ts'
import { signOut } from '../frame/places.ts'
import { say } from '../frame/toasts.tsx'
import { LoadError } from '../parts/load-error.tsx'
import { When } from './held.tsx'
import { failed } from './own.ts'
import { Grave, Group, Line, Part } from './parts.tsx'
import { Password } from './password.tsx'
import type { PartProps } from './screen.tsx'

type Session = Output<'browser_sessions.list'>['sessions'][number]

export default function Security({ me }: PartProps) {
  return (
    <Part title="Security">
      <Group
        title="Password"
        about="Changing it signs you out everywhere else. Keys and tokens stay as they are."
      >
        <Password email={me.profile.email ?? ''} />
      </Group>
      <Sessions />
    </Part>
  )
}

const many = (count: number) => `${count} other ${count === 1 ? 'browser' : 'browsers'}`

function Sessions() {
  const list = useAsk('browser_sessions.list', {})
  const { data } = list
  const cache = useCache()
  const again = () => void cache.invalidateQueries({ queryKey: ['browser_sessions.list'] })
  const { act: end } = useAct('browser_sessions.end', {
    done() {
      say('Signed that browser out')
      again()
    },
    failed,
  })
  const { act: endOthers, finish } = useAct('browser_sessions.end_others', { done: again, failed })
  const others = data?.sessions.filter(({ current }) => !current).length ?? 0
  return (
    <Group
      title="Where you are signed in"
      about="A browser that is not used for 30 days has to sign in again."
    >
      <LoadError of={list} what="browser sessions" />
      <ul className="holdings" aria-label="Browsers" hidden={!data}>
        {data?.sessions.map((one) => (
          <SessionLine
            key={one.session_id}
            session={one}
            onEnd={() => end({ session_id: one.session_id })}
          />
        ))}
      </ul>
      <div className="deeds" hidden={!data}>
        {others > 0 && (
          <button
            type="button"
            className="button plain"
            onClick={() =>
              endOthers({}, { onSuccess: ({ ended }) => say(`Signed out ${many(ended)}`) })
            }
          >
            Sign out {many(others)}
          </button>
        )}
        <Grave
          name="Sign out"
          of="everywhere"
          isWhole
          run={() => void finish({}).then(signOut, () => undefined)}
        >
          <p>
            This browser and every other one has to sign in again. Programs with a key or a token
            work on.
          </p>
        </Grave>
      </div>
    </Group>
  )
}

function SessionLine({ session, onEnd }: { session: Session; onEnd(): void }) {
  const { browser, address, current, last_used_at } = session
  return (
    <Line
      name={
        <>
          {browser}
          {current && <span className="badge">This browser</span>}
        </>
      }
      meta={[
        current ? 'in use now' : <When key="used" before="used" at={last_used_at} />,
        address && `signed in from ${address}`,
      ]}
    >
      {!current && (
        <button type="button" className="button plain" onClick={onEnd}>
          Sign out<span className="unseen"> {browser}</span>
        </button>
      )}
    </Line>
  )
}
