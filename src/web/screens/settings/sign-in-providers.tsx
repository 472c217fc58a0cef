import { useCache, useOperation, useOperationMutation } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { LoadError } from '../../kit/load-error.tsx'
import { showError, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { TimeAgo } from './credential-line.tsx'
import { DangerDialog, ListLine, SettingsSection } from './parts.tsx'

type Data = Output<'linked_identities.list'>
type Identity = Data['identities'][number]

/** The accounts at sign-in providers that are linked to the user's account. */
export function SignInProviders() {
  const list = useOperation('linked_identities.list', {})
  const { data } = list
  const cache = useCache()
  const { mutate: unlink } = useOperationMutation('linked_identities.unlink', {
    onDone() {
      showToast(t('settings.unlinked'))
      void cache.invalidateQueries({ queryKey: ['linked_identities.list'] })
    },
    onFailed: showError,
  })
  // Most servers have no provider, and then there is nothing to set.
  if (data && !data.issuers.length && !data.identities.length) return null
  return (
    <SettingsSection
      title={t('settings.sign_in_providers')}
      about={t('settings.linked_accounts_can_sign_in')}
    >
      <LoadError of={list} what={t('settings.sign_in_providers_inline')} />
      <ul className="list-lines" aria-label={t('settings.linked_accounts')} hidden={!data}>
        {data?.identities.map((identity) => (
          <IdentityLine
            key={identity.identity_id}
            identity={identity}
            onUnlink={() => unlink({ identity_id: identity.identity_id })}
          />
        ))}
      </ul>
      <div className="flex-wrap">
        {data?.issuers.map(({ number, name }) => (
          // The provider is on another host, so the browser has to leave the app.
          <a
            key={number}
            className="button plain"
            href={`/sign-in/${number}?link=yes&next=/settings/security`}
          >
            {t('settings.link_provider', { name })}
          </a>
        ))}
      </div>
    </SettingsSection>
  )
}

function IdentityLine({ identity, onUnlink }: { identity: Identity; onUnlink(): void }) {
  const { issuer, issuer_name, email, approved, created_at, last_used_at } = identity
  const name = issuer_name ?? issuer
  return (
    <ListLine
      name={email ? `${name}: ${email}` : name}
      meta={[
        !approved && t('settings.needs_the_approval_of_an_admin'),
        <TimeAgo key="created" event="created" at={created_at} />,
        last_used_at && <TimeAgo key="used" event="used" at={last_used_at} />,
      ]}
    >
      <DangerDialog name={t('settings.unlink')} of={email ?? name} run={onUnlink}>
        <p>{t('settings.you_can_no_longer_sign_in_with_it', { name })}</p>
      </DangerDialog>
    </ListLine>
  )
}
