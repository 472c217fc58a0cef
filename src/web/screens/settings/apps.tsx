import { patchQuery, useOperation, useOperationMutation } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { LoadError } from '../../kit/load-error.tsx'
import { showError, showToast } from '../../kit/toasts.tsx'
import { rich, t } from '../../messages/t.ts'
import { ExpiresAt, TimeAgo } from './credential-line.tsx'
import { DangerDialog, ListLine, SettingsPage } from './parts.tsx'
import { scopesList, scopesText } from './scopes.tsx'

type App = Output<'grants.list'>['apps'][number]

/** The apps that the user has allowed, each of which can be revoked. */
export default function Apps() {
  const list = useOperation('grants.list', {})
  const { data } = list
  const { mutate } = useOperationMutation('grants.revoke', {
    optimistic: ({ grant_id }) =>
      patchQuery('grants.list', {}, (current) => ({
        apps: current.apps.filter((one) => one.grant_id !== grant_id),
      })),
    onDone: ({ name }) => showToast(t('settings.revoked_name', { name })),
    onFailed: showError,
  })
  return (
    <SettingsPage
      title={t('settings.connected_apps')}
      about={t('settings.apps_that_you_allowed_to_use_corkboard')}
    >
      <LoadError of={list} what={t('settings.connected_apps')} />
      {data?.apps.length === 0 && <p className="none">{t('settings.no_apps_yet')}</p>}
      <ul
        className="list-lines"
        aria-label={t('settings.connected_apps')}
        hidden={!data?.apps.length}
      >
        {data?.apps.map((one) => (
          <AppLine
            key={one.grant_id}
            app={one}
            onRevoke={() => mutate({ grant_id: one.grant_id })}
          />
        ))}
      </ul>
    </SettingsPage>
  )
}

function AppLine({ app, onRevoke }: { app: App; onRevoke(): void }) {
  const { name, host, agent, scopes, project_ids, created_at, last_used_at, expires_at } = app
  return (
    <ListLine
      name={
        <>
          <bdi>{name}</bdi>
          {host && <code>{host}</code>}
        </>
      }
      meta={[
        agent
          ? rich('settings.works_as_agent', { agent: <bdi>{agent.name}</bdi> })
          : t('settings.works_as_you'),
        project_ids
          ? t('settings.boards_count', { count: project_ids.length })
          : t('settings.all_boards'),
        <span key="may" title={scopesList(scopes)}>
          {scopesText(scopes)}
        </span>,
        last_used_at ? (
          <TimeAgo key="used" event="used" at={last_used_at} />
        ) : (
          <TimeAgo key="made" event="created" at={created_at} />
        ),
        expires_at && <ExpiresAt key="ends" at={expires_at} isExpired={false} />,
      ]}
    >
      <DangerDialog name={t('settings.revoke')} of={name} run={onRevoke}>
        <p>{t('settings.it_loses_access_at_once_and_has_to_ask_again')}</p>
      </DangerDialog>
    </ListLine>
  )
}
