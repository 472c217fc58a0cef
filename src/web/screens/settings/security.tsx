import { useCache, useOperation, useOperationMutation } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { signOut } from '../../entities/user/me.ts'
import { LoadError } from '../../kit/load-error.tsx'
import { showError, showToast } from '../../kit/toasts.tsx'
import { TimeAgo } from './credential-line.tsx'
import type { PartProps } from './part-props.ts'
import { DangerDialog, ListLine, SettingsPage, SettingsSection } from './parts.tsx'
import { Password } from './password.tsx'

type Session = Output<'browser_sessions.list'>['sessions'][number]

export default function Security({ me }: PartProps) {
  return (
    <SettingsPage title="Security">
      <SettingsSection
        title="Password"
        about="Changing it signs you out everywhere else. Keys and tokens keep working."
      >
        <Password email={me.profile.email ?? ''} />
      </SettingsSection>
      <Sessions />
    </SettingsPage>
  )
}

const browsersText = (count: number) => `${count} other ${count === 1 ? 'browser' : 'browsers'}`

function Sessions() {
  const list = useOperation('browser_sessions.list', {})
  const { data } = list
  const cache = useCache()
  const reload = () => void cache.invalidateQueries({ queryKey: ['browser_sessions.list'] })
  const { act: end } = useOperationMutation('browser_sessions.end', {
    onDone() {
      showToast('Signed out that browser')
      reload()
    },
    onFailed: showError,
  })
  const { act: endOthers, finish } = useOperationMutation('browser_sessions.end_others', {
    onDone: reload,
    onFailed: showError,
  })
  const others = data?.sessions.filter(({ current }) => !current).length ?? 0
  return (
    <SettingsSection
      title="Where you are signed in"
      about="A browser is signed out after 30 days without use."
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
      <div className="flex-wrap" hidden={!data}>
        {others > 0 && (
          <button
            type="button"
            className="button plain"
            onClick={() =>
              endOthers(
                {},
                { onSuccess: ({ ended }) => showToast(`Signed out ${browsersText(ended)}`) },
              )
            }
          >
            Sign out {browsersText(others)}
          </button>
        )}
        <DangerDialog
          name="Sign out"
          of="everywhere"
          isWhole
          run={() => void finish({}).then(signOut, () => undefined)}
        >
          <p>
            You have to sign in again in every browser, including this one. Keys and tokens keep
            working.
          </p>
        </DangerDialog>
      </div>
    </SettingsSection>
  )
}

function SessionLine({ session, onEnd }: { session: Session; onEnd(): void }) {
  const { browser, address, current, last_used_at } = session
  return (
    <ListLine
      name={
        <>
          {browser}
          {current && <span className="badge">This browser</span>}
        </>
      }
      meta={[
        current ? 'in use now' : <TimeAgo key="used" before="used" at={last_used_at} />,
        address && `signed in from ${address}`,
      ]}
    >
      {!current && (
        <button type="button" className="button plain" onClick={onEnd}>
          Sign out<span className="unseen"> {browser}</span>
        </button>
      )}
    </ListLine>
  )
}
