import { useState } from 'react'
import { cache, useOperation } from '../../../data/cache.ts'
import { callOperation, type Output } from '../../../data/client.ts'
import { ConfirmDialog } from '../../../kit/confirm-dialog.tsx'
import { Dialog } from '../../../kit/dialog.tsx'
import { FormDialog } from '../../../kit/form-dialog.tsx'
import { LoadError } from '../../../kit/load-error.tsx'
import { showError, showToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import { DangerDialog, ListLine, SettingsSection } from '../parts.tsx'
import { type Member, MemberPicker, useMembers } from './member-picker.tsx'
import { TokenField } from './token-field.tsx'
import './team.css'

type Host = Output<'code_hosts.list'>['items'][number]
type Account = Output<'code_host_accounts.list'>['accounts'][number]
type OwnHost = Output<'code_host_accounts.list_own'>['hosts'][number]

const reload = () => {
  void cache.invalidateQueries({ queryKey: ['code_host_accounts.list'] })
  void cache.invalidateQueries({ queryKey: ['code_host_accounts.list_own'] })
}

/** The accounts that were seen at a host, and who they are here. */
export function Accounts({ host, onClose }: { host: Host; onClose(): void }) {
  const { host_id, team_id, url } = host
  const list = useOperation('code_host_accounts.list', { host_id })
  const members = useMembers(team_id)
  const accounts = list.data?.accounts
  return (
    <Dialog open onClose={onClose} title={t('code.accounts_at', { url })}>
      <div className="form in-dialog host-accounts">
        <p className="soft">{t('code.about_accounts')}</p>
        <LoadError of={list} what={t('code.the_accounts')} />
        {accounts?.length === 0 && <p className="none">{t('code.no_account_seen')}</p>}
        {accounts && accounts.length > 0 && (
          <ul className="list-lines" aria-label={t('code.accounts')}>
            {accounts.map((one) => (
              <AccountLine key={one.login} {...{ one, members, host_id }} />
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}

interface LineProps {
  one: Account
  members: readonly Member[]
  host_id: number
}

function AccountLine({ one, members, host_id }: LineProps) {
  const { login, is_member, mapped_by } = one
  const [member, setMember] = useState<Member>()
  const label = t('code.assign_login', { login })
  const meta = is_member
    ? [
        <span key="name" dir="auto">
          {one.name}
        </span>,
        t('code.mapped_by', { by: mapped_by ?? 'admin' }),
      ]
    : [t('code.not_a_member')]
  return (
    <ListLine name={<span dir="auto">{login}</span>} meta={meta}>
      <div className="flex-wrap">
        <MemberPicker {...{ label, members }} text={t('code.assign')} onPick={setMember} />
        {is_member && <RemoveAccount {...{ host_id, login }} />}
      </div>
      {member && (
        <AssignDialog {...{ host_id, login, member }} onClose={() => setMember(undefined)} />
      )}
    </ListLine>
  )
}

interface DialogProps {
  host_id: number
  login: string
  member: Member
  onClose(): void
}

function AssignDialog({ host_id, login, member, onClose }: DialogProps) {
  const { name } = member
  const assign = async () => {
    await callOperation('code_host_accounts.assign', { host_id, login, user_id: member.value })
    reload()
    showToast(t('code.assigned_login', { login, member: name }))
  }
  return (
    <ConfirmDialog
      title={t('code.assign_login_to', { login, member: name })}
      submitLabel={t('code.assign')}
      onClose={onClose}
      onConfirm={assign}
    >
      <p>{t('code.what_assigning_does', { login, member: name })}</p>
    </ConfirmDialog>
  )
}

function RemoveAccount({ host_id, login }: { host_id: number; login: string }) {
  const remove = () =>
    callOperation('code_host_accounts.remove', { host_id, login }).then(() => {
      reload()
      showToast(t('code.removed_account', { login }))
    }, showError)
  return (
    <DangerDialog name={t('code.remove_account')} of={login} run={() => void remove()}>
      <p>{t('code.what_removing_does', { login })}</p>
    </DangerDialog>
  )
}

/** The accounts that the user has proved to be theirs. */
export function OwnAccounts({ team_id }: { team_id: number }) {
  const { data } = useOperation('code_host_accounts.list_own', { team_id })
  if (!data?.hosts.length) return null
  return (
    <SettingsSection title={t('code.your_accounts')} about={t('code.about_your_accounts')}>
      <ul className="list-lines" aria-label={t('code.your_accounts')}>
        {data.hosts.map((host) => (
          <OwnHostLine key={host.host_id} host={host} />
        ))}
      </ul>
    </SettingsSection>
  )
}

function OwnHostLine({ host }: { host: OwnHost }) {
  const [isClaiming, setClaiming] = useState(false)
  const { host_id, url, logins } = host
  return (
    <ListLine name={url} meta={logins.length ? logins : [t('code.no_own_account')]}>
      <div className="flex-wrap">
        <button type="button" className="button plain" onClick={() => setClaiming(true)}>
          {t('code.add_your_account')}
          <span className="unseen"> {url}</span>
        </button>
        {logins.map((login) => (
          <RemoveAccount key={login} {...{ host_id, login }} />
        ))}
      </div>
      {isClaiming && <ClaimDialog host={host} onClose={() => setClaiming(false)} />}
    </ListLine>
  )
}

const HINTS: Record<OwnHost['kind'], string> = {
  github: t('code.own_token_of_github'),
  gitlab: t('code.own_token_of_gitlab'),
  forgejo: t('code.own_token_of_forgejo'),
}

function ClaimDialog({ host, onClose }: { host: OwnHost; onClose(): void }) {
  const { host_id, kind, url } = host
  const [token, setToken] = useState('')
  const claim = async () => {
    const { login } = await callOperation('code_host_accounts.claim', { host_id, token })
    reload()
    showToast(t('code.added_account', { login }))
  }
  return (
    <FormDialog
      title={t('code.your_account_at', { url })}
      submitLabel={t('code.add_your_account')}
      disabled={!token.trim()}
      onClose={onClose}
      onSubmit={claim}
    >
      <TokenField hint={HINTS[kind]} value={token} onChange={setToken} />
    </FormDialog>
  )
}
