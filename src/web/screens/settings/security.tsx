import { useCache, useOperation, useOperationMutation } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { signOut } from '../../entities/user/me.ts'
import { shortMoment } from '../../kit/dates.ts'
import { LoadError } from '../../kit/load-error.tsx'
import { showError, showToast } from '../../kit/toasts.tsx'
import { rich, t } from '../../messages/t.ts'
import { TimeAgo } from './credential-line.tsx'
import type { PartProps } from './part-props.ts'
import { DangerDialog, ListLine, SettingsPage, SettingsSection } from './parts.tsx'
import { Password } from './password.tsx'
import { SecondFactors } from './security/second-factors.tsx'
import { SignInProviders } from './sign-in-providers.tsx'
import { YourData } from './your-data.tsx'

type Session = Output<'browser_sessions.list'>['sessions'][number]

export default function Security({ me }: PartProps) {
  return (
    <SettingsPage title={t('settings.security')}>
      <SettingsSection
        title={t('settings.password')}
        about={t('settings.changing_it_signs_you_out_everywhere_else')}
      >
        <Password email={me.profile.email ?? ''} />
      </SettingsSection>
      <SecondFactors />
      <SignInProviders />
      <Sessions />
      <YourData email={me.profile.email ?? ''} />
    </SettingsPage>
  )
}

function Sessions() {
  const list = useOperation('browser_sessions.list', {})
  const { data } = list
  const cache = useCache()
  const reload = () => void cache.invalidateQueries({ queryKey: ['browser_sessions.list'] })
  const { mutate: end } = useOperationMutation('browser_sessions.end', {
    onDone() {
      showToast(t('settings.signed_out_that_browser'))
      reload()
    },
    onFailed: showError,
  })
  const { mutate: endOthers, mutateAsync } = useOperationMutation('browser_sessions.end_others', {
    onDone: reload,
    onFailed: showError,
  })
  const others = data?.sessions.filter(({ current }) => !current).length ?? 0
  return (
    <SettingsSection
      title={t('settings.where_you_are_signed_in')}
      about={t('settings.a_browser_is_signed_out_after_30')}
    >
      <LoadError of={list} what={t('settings.browser_sessions')} />
      <ul className="list-lines" aria-label={t('settings.browsers')} hidden={!data}>
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
                {
                  onSuccess: ({ ended }) =>
                    showToast(t('settings.signed_out_browsers', { count: ended })),
                },
              )
            }
          >
            {t('settings.sign_out_browsers', { count: others })}
          </button>
        )}
        <DangerDialog
          name={t('settings.sign_out')}
          of={t('settings.everywhere')}
          showsItemName
          run={() => void mutateAsync({}).then(signOut, () => undefined)}
        >
          <p>{t('settings.you_have_to_sign_in_again_in')}</p>
        </DangerDialog>
      </div>
    </SettingsSection>
  )
}

/** Undefined for sessions from before sign-ins were recorded. */
function signInText({ method, second_factor, signed_in_at, address }: Session) {
  if (!method || !signed_in_at) return undefined
  return t('settings.signed_in_by_method_on_date', {
    method,
    factor: second_factor ?? 'none',
    date: shortMoment(new Date(signed_in_at)),
    address: address ?? 'none',
  })
}

function SessionLine({ session, onEnd }: { session: Session; onEnd(): void }) {
  const { browser, current, last_used_at } = session
  return (
    <ListLine
      name={
        <>
          {browser}
          {current && <span className="badge">{t('settings.this_browser')}</span>}
        </>
      }
      meta={[
        current ? t('settings.in_use_now') : <TimeAgo key="used" event="used" at={last_used_at} />,
        signInText(session),
      ]}
    >
      {!current && (
        <button type="button" className="button plain" onClick={onEnd}>
          {rich('settings.sign_out_browser', {
            browser: <span className="unseen">{browser}</span>,
          })}
        </button>
      )}
    </ListLine>
  )
}
