import { useState } from 'react'
import { cache, useOperation } from '../../../data/cache.ts'
import { callOperation, type Output } from '../../../data/client.ts'
import { SelectField, TextField } from '../../../kit/field.tsx'
import { Form, FormError, FormFooter } from '../../../kit/form.tsx'
import { FormDialog } from '../../../kit/form-dialog.tsx'
import { LoadError } from '../../../kit/load-error.tsx'
import { showError, showToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import { DangerDialog, ListLine, SettingsSection } from '../parts.tsx'
import { Accounts } from './code-accounts.tsx'
import { CreateGithubApp } from './github-app.tsx'
import { TokenField } from './token-field.tsx'

type Host = Output<'code_hosts.list'>['items'][number]
type Kind = Host['kind']

const KINDS: readonly (readonly [Kind, string])[] = [
  ['github', 'GitHub'],
  ['gitlab', 'GitLab'],
  ['forgejo', t('code.forgejo_and_gitea')],
]
const URLS: Record<Kind, string> = {
  github: 'https://github.com',
  gitlab: 'https://gitlab.com',
  forgejo: 'https://codeberg.org',
}

const reload = () => void cache.invalidateQueries({ queryKey: ['code_hosts.list'] })

/** GitHub, GitLab, Forgejo and Gitea, with the account that Corkboard uses there. */
export function CodeHosts({ team_id }: { team_id: number }) {
  const list = useOperation('code_hosts.list', { team_id, limit: 50 })
  const hosts = list.data?.items
  return (
    <SettingsSection title={t('code.code_hosts')} about={t('code.about_code_hosts')}>
      <LoadError of={list} what={t('code.the_code_hosts')} />
      {hosts && hosts.length > 0 && (
        <ul className="list-lines" aria-label={t('code.code_hosts')}>
          {hosts.map((host) => (
            <HostLine key={host.host_id} host={host} />
          ))}
        </ul>
      )}
      <AddHost team_id={team_id} />
      <CreateGithubApp team_id={team_id} />
    </SettingsSection>
  )
}

function HostLine({ host }: { host: Host }) {
  const [isReplacing, setReplacing] = useState(false)
  const [showsAccounts, setShowsAccounts] = useState(false)
  const { host_id, kind, url, login, app_url, repositories } = host
  const remove = () =>
    callOperation('code_hosts.delete', { host_id }).then(() => {
      reload()
      showToast(t('code.deleted_host', { url }))
    }, showError)
  return (
    <ListLine
      name={url}
      meta={[
        KINDS.find(([one]) => one === kind)![1],
        login,
        t('code.count_repositories', { count: repositories }),
      ]}
    >
      <div className="flex-wrap">
        <button type="button" className="button plain" onClick={() => setShowsAccounts(true)}>
          {t('code.accounts')}
          <span className="unseen"> {url}</span>
        </button>
        {app_url === null ? (
          <button type="button" className="button plain" onClick={() => setReplacing(true)}>
            {t('code.replace_token')}
            <span className="unseen"> {url}</span>
          </button>
        ) : (
          <a
            className="button plain"
            href={`${app_url}/installations/new`}
            target="_blank"
            rel="noopener noreferrer"
          >
            {t('code.install_app')}
          </a>
        )}
        <DangerDialog name={t('common.delete')} of={url} run={() => void remove()}>
          <p>{app_url === null ? t('code.the_token_is_deleted') : t('code.the_key_is_deleted')}</p>
        </DangerDialog>
      </div>
      {showsAccounts && <Accounts host={host} onClose={() => setShowsAccounts(false)} />}
      {isReplacing && <ReplaceToken host={host} onClose={() => setReplacing(false)} />}
    </ListLine>
  )
}

function ReplaceToken({ host, onClose }: { host: Host; onClose(): void }) {
  const [token, setToken] = useState('')
  return (
    <FormDialog
      title={t('code.replace_token')}
      submitLabel={t('common.save')}
      onClose={onClose}
      onSubmit={async () => {
        await callOperation('code_hosts.update', { host_id: host.host_id, token })
        reload()
        showToast(t('code.replaced_token'))
      }}
    >
      <TokenField hint={PERMISSIONS[host.kind]} value={token} onChange={setToken} />
    </FormDialog>
  )
}

const PERMISSIONS: Record<Kind, string> = {
  github: t('code.token_of_github'),
  gitlab: t('code.token_of_gitlab'),
  forgejo: t('code.token_of_forgejo'),
}

function AddHost({ team_id }: { team_id: number }) {
  const [kind, setKind] = useState<Kind>('github')
  const [url, setUrl] = useState('')
  const [token, setToken] = useState('')
  const add = async () => {
    await callOperation('code_hosts.create', {
      team_id,
      kind,
      url: url.trim() || URLS[kind],
      token,
    })
    setUrl('')
    setToken('')
    reload()
    showToast(t('code.added_host'))
  }
  return (
    <Form label={t('code.add_code_host')} onSubmit={add}>
      <div className="fields">
        <SelectField label={t('code.host')} value={kind} choices={KINDS} onPick={setKind} />
        <TextField
          label={t('code.address_of_the_host')}
          name="url"
          type="url"
          maxLength={500}
          placeholder={URLS[kind]}
          value={url}
          onChange={setUrl}
        />
        <TokenField hint={PERMISSIONS[kind]} value={token} onChange={setToken} />
      </div>
      <FormError />
      <FormFooter disabled={!token.trim()}>{t('code.add_code_host')}</FormFooter>
    </Form>
  )
}
