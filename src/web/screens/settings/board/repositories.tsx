import { useState } from 'react'
import { Link } from 'wouter'
import { cache, patchQuery, useOperation } from '../../../data/cache.ts'
import type { Output } from '../../../data/client.ts'
import { sendWrite } from '../../../data/write-queue.ts'
import { Copy } from '../../../kit/copy.tsx'
import { agoText } from '../../../kit/dates.ts'
import { Check, SelectField, Switch, TextField } from '../../../kit/field.tsx'
import { Form, FormError, FormFooter } from '../../../kit/form.tsx'
import { LoadError } from '../../../kit/load-error.tsx'
import { showError, showToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import { DangerDialog, SettingsSection } from '../parts.tsx'
import { ShowOnce } from '../show-once.tsx'
import { type PartProps, runWrite } from './data.ts'
import { MANAGERS_ONLY } from './parts.tsx'

type Repository = Output<'repositories.list'>['items'][number]
type Linked = Output<'repositories.link'>

const ABOUT = t('code.about_repositories')

const reload = () => void cache.invalidateQueries({ queryKey: ['repositories.list'] })

export default function Repositories({ board, may }: PartProps) {
  const { project_id, team_id } = board
  const [linked, setLinked] = useState<Linked>()
  // The worker's progress is no change of the board, so no event reports it.
  const options = { pollMs: 3000 }
  const list = useOperation('repositories.list', { project_id, limit: 50 }, options)
  const items = list.data?.items
  return (
    <SettingsSection
      title={t('code.repositories')}
      about={ABOUT}
      readOnly={!may.manage && MANAGERS_ONLY}
    >
      <LoadError of={list} what={t('code.the_repositories')} />
      {linked?.webhook && <Webhook linked={linked} onClose={() => setLinked(undefined)} />}
      {items?.length === 0 && <p className="none">{t('code.no_repository_linked')}</p>}
      {items && items.length > 0 && (
        <ul className="list-lines" aria-label={t('code.repositories')}>
          {items.map((one) => (
            <RepositoryLine key={one.repository_id} one={one} mayManage={may.manage} />
          ))}
        </ul>
      )}
      {may.manage && (may.role === 'owner' || may.role === 'admin') && (
        <LinkForm {...{ project_id, team_id }} onLinked={setLinked} />
      )}
    </SettingsSection>
  )
}

const stateText = (one: Repository): string => {
  const { state, issue_count, pending_count } = one
  const done = issue_count - pending_count
  return t('code.state_of_repository', { state, done, total: issue_count })
}

interface LineProps {
  one: Repository
  mayManage: boolean
}

function RepositoryLine({ one, mayManage }: LineProps) {
  const { project_id, repository_id, name, url, error } = one
  const unlink = () =>
    void sendWrite('repositories.unlink', { project_id, repository_id }).then(() => {
      reload()
      showToast(t('code.unlinked_name', { name }))
    }, showError)
  return (
    <li className="list-line">
      <div>
        <p className="name">
          <a href={url} target="_blank" rel="noopener noreferrer">
            {name}
          </a>
          {one.label !== null && <code>{one.label}</code>}
        </p>
        <RepositoryState one={one} />
        {error && <p className="form-error">{error}</p>}
        {mayManage && <Options one={one} />}
      </div>
      {mayManage && (
        <DangerDialog name={t('code.unlink')} of={name} run={unlink}>
          <p>{t('code.tasks_and_issues_stay')}</p>
        </DangerDialog>
      )}
    </li>
  )
}

const RepositoryState = ({ one }: { one: Repository }) => {
  const { failed_count, synced_at, has_webhook } = one
  return (
    <p className="line-meta soft">
      <span role="status">{stateText(one)}</span>
      {failed_count > 0 && <span>{t('code.count_failed', { count: failed_count })}</span>}
      {synced_at && <span>{t('code.compared_ago', { short: agoText(synced_at).short })}</span>}
      {!has_webhook && <span>{t('code.webhook_by_hand')}</span>}
    </p>
  )
}

/** The switches change at once; a refused change goes back with the error. */
function Options({ one }: { one: Repository }) {
  const { project_id, repository_id, issues, pull_requests } = one
  const change = (set: { issues?: boolean; pull_requests?: boolean }) =>
    void runWrite({
      change: () =>
        patchQuery('repositories.list', { project_id, limit: 50 }, (list) => ({
          ...list,
          items: list.items.map((row) =>
            row.repository_id === repository_id ? { ...row, ...set } : row,
          ),
        })),
      async send() {
        await sendWrite('repositories.update', { project_id, repository_id, ...set })
        reload()
      },
    })
  return (
    <div className="flex-wrap">
      <Switch checked={issues} onChange={(on) => change({ issues: on })}>
        {t('code.issues')}
      </Switch>
      <Switch checked={pull_requests} onChange={(on) => change({ pull_requests: on })}>
        {t('common.pull_requests')}
      </Switch>
    </div>
  )
}

interface LinkFormProps {
  project_id: number
  team_id: number
  onLinked(linked: Linked): void
}

function LinkForm({ project_id, team_id, onLinked }: LinkFormProps) {
  const list = useOperation('code_hosts.list', { team_id, limit: 50 })
  const hosts = list.data?.items ?? []
  const [chosen, setChosen] = useState<number>()
  const [name, setName] = useState('')
  const [label, setLabel] = useState('')
  const [issues, setIssues] = useState(true)
  const host_id = chosen ?? hosts[0]?.host_id
  if (!list.data) return <LoadError of={list} what={t('code.the_code_hosts')} />
  if (!host_id)
    return (
      <Link href={`/settings/team/${team_id}`} className="button plain">
        {t('code.add_code_host')}
      </Link>
    )
  const link = async () => {
    const options = { issues, ...(label.trim() && { label: label.trim() }) }
    onLinked(await sendWrite('repositories.link', { project_id, host_id, name, ...options }))
    setName('')
    reload()
    showToast(t('code.linked_name', { name }))
  }
  return (
    <Form label={t('code.link_repository')} onSubmit={link}>
      <div className="fields">
        <SelectField
          label={t('code.host')}
          value={host_id}
          choices={hosts.map((host) => [host.host_id, host.url] as const)}
          onPick={setChosen}
        />
        <TextField
          label={t('code.repository')}
          name="name"
          placeholder={t('code.example_repository')}
          required
          maxLength={300}
          value={name}
          onChange={setName}
        />
        <TextField
          label={t('code.only_with_label')}
          name="label"
          maxLength={100}
          value={label}
          onChange={setLabel}
        />
      </div>
      <Check checked={issues} onChange={setIssues}>
        {t('code.synchronize_issues')}
      </Check>
      <FormError />
      <FormFooter disabled={name.trim().length < 3}>{t('code.link_repository')}</FormFooter>
    </Form>
  )
}

/** What to enter at the host, because the token may not create the webhook. */
function Webhook({ linked, onClose }: { linked: Linked; onClose(): void }) {
  const { url, secret, events } = linked.webhook!
  return (
    <ShowOnce title={t('code.enter_this_webhook', { name: linked.name })} onClose={onClose}>
      {(onCopied) => (
        <>
          <p className="events flex-wrap">
            {events.map((event) => (
              <code key={event}>{event}</code>
            ))}
          </p>
          <Copy label={t('settings.address')} text={url} />
          <Copy label={t('settings.secret')} text={secret} onCopied={onCopied} />
        </>
      )}
    </ShowOnce>
  )
}
