import { useCache, useOperation, useOperationMutation } from '../../../data/cache.ts'
import type { Output } from '../../../data/client.ts'
import { showError, showToast } from '../../../kit/toasts.tsx'
import { rich, t } from '../../../messages/t.ts'
import { TimeAgo } from '../credential-line.tsx'
import { DangerDialog, ListLine, SettingsSection } from '../parts.tsx'

type Waiting = Output<'linked_identities.waiting'>['waiting'][number]

/** Links of members to accounts at sign-in providers that an admin has to approve. */
export function SignInLinks({ team_id }: { team_id: number }) {
  const { data } = useOperation('linked_identities.waiting', { team_id })
  const cache = useCache()
  const reload = () => void cache.invalidateQueries({ queryKey: ['linked_identities.waiting'] })
  const { mutate: approve } = useOperationMutation('linked_identities.approve', {
    onDone() {
      showToast(t('settings.approved_the_link'))
      reload()
    },
    onFailed: showError,
  })
  const { mutate: refuse } = useOperationMutation('linked_identities.refuse', {
    onDone: reload,
    onFailed: showError,
  })
  if (!data?.waiting.length) return null
  return (
    <SettingsSection
      title={t('settings.sign_in_links_to_approve')}
      about={t('settings.approve_only_if_the_account_belongs')}
    >
      <ul className="list-lines">
        {data.waiting.map((link) => (
          <LinkLine
            key={link.identity_id}
            link={link}
            onApprove={() => approve({ team_id, identity_id: link.identity_id })}
            onRefuse={() => refuse({ team_id, identity_id: link.identity_id })}
          />
        ))}
      </ul>
    </SettingsSection>
  )
}

interface LinkLineProps {
  link: Waiting
  onApprove(): void
  onRefuse(): void
}

const LinkLine = ({ link, onApprove, onRefuse }: LinkLineProps) => (
  <ListLine
    name={`${link.name} (${link.account_email})`}
    meta={[
      t('settings.account_at_provider', {
        email: link.email ?? t('settings.an_account'),
        provider: new URL(link.issuer).hostname,
      }),
      <TimeAgo key="created" event="created" at={link.created_at} />,
    ]}
  >
    <button type="button" className="button plain" onClick={onApprove}>
      {rich('settings.approve_link', {
        the_link: (
          <span className="unseen">{t('settings.the_link_of_name', { name: link.name })}</span>
        ),
      })}
    </button>
    <DangerDialog
      name={t('settings.refuse')}
      of={t('settings.the_link_of_name', { name: link.name })}
      run={onRefuse}
    >
      <p>{t('settings.name_can_ask_again', { name: link.name })}</p>
    </DangerDialog>
  </ListLine>
)
