import type { UseQueryResult } from '@tanstack/react-query'
import { patchQuery, useCache, useOperation, useOperationMutation } from '../../data/cache.ts'
import { callOperation, newIdempotencyKey, type Output } from '../../data/client.ts'
import { basePath } from '../../kit/base-path.ts'
import { Copy } from '../../kit/copy.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { showError, showToast } from '../../kit/toasts.tsx'
import { rich, t } from '../../messages/t.ts'
import '../../entities/agent/connect.css'
import { CreateForm } from './create-form.tsx'
import { CredentialLine } from './credential-line.tsx'
import type { PartProps } from './part-props.ts'
import { SettingsPage, SettingsSection } from './parts.tsx'

const LIST = { limit: 50 } as const
const MAX_KEYS = 10
type Keys = Output<'api_keys.list'>

export default function ApiKeys({ me }: PartProps) {
  const cache = useCache()
  const list = useOperation('api_keys.list', LIST)
  const { data } = list
  const active = data?.items.filter(({ expired }) => !expired).length
  return (
    <SettingsPage
      title={t('settings.api_keys')}
      about={rich('settings.for_programs_scripts_and_a_everything_done', {
        a: <a href={`${basePath}/docs/manual/cli`}>{t('settings.the_command_line')}</a>,
      })}
    >
      <SettingsSection
        title={t('settings.new_key')}
        about={
          active === undefined
            ? t('settings.max_keys', { max: MAX_KEYS })
            : t('settings.max_keys_and_own', { max: MAX_KEYS, count: active })
        }
      >
        <CreateForm
          kind="key"
          placeholder={t('settings.backup_script')}
          hasLifetime
          ownScopes={me.permissions}
          createSecret={async (input) => {
            const created = await callOperation('api_keys.create', input, {
              key: newIdempotencyKey(),
            })
            void cache.invalidateQueries({ queryKey: ['api_keys.list'] })
            return created
          }}
          renderSecret={({ key }, onCopied) => (
            <>
              <Copy label={t('common.key')} text={key} onCopied={onCopied} />
              <p>{t('settings.try_it')}</p>
              <Copy
                label={t('settings.example')}
                text={exampleCommand(me.server.url, key)}
                onCopied={onCopied}
              />
            </>
          )}
        />
      </SettingsSection>
      <List list={list} />
    </SettingsPage>
  )
}

const exampleCommand = (url: string, key: string) =>
  t('settings.curl_h_authorization_bearer_key_url_api', { key, url })

function List({ list }: { list: UseQueryResult<Keys> }) {
  const { data } = list
  const { mutate } = useOperationMutation('api_keys.revoke', {
    optimistic: ({ api_key_id }) =>
      patchQuery('api_keys.list', LIST, (current) => ({
        ...current,
        items: current.items.filter((one) => one.api_key_id !== api_key_id),
      })),
    onDone: ({ name }) => showToast(t('settings.revoked_name', { name })),
    onFailed: showError,
  })
  return (
    <SettingsSection title={t('settings.your_keys')}>
      <LoadError of={list} what={t('settings.your_keys_inline')} />
      {data?.items.length === 0 && (
        <p className="none">
          {rich('settings.no_keys_yet_code_and_the_api', {
            code: <code>{t('settings.cork_login')}</code>,
          })}
        </p>
      )}
      <ul className="list-lines" aria-label={t('settings.your_keys')} hidden={!data?.items.length}>
        {data?.items.map((one) => (
          <CredentialLine
            key={one.api_key_id}
            credential={one}
            prefix={one.prefix}
            onRevoke={() => mutate({ api_key_id: one.api_key_id })}
          >
            <p>{t('settings.everything_that_uses_it_loses_access_at')}</p>
          </CredentialLine>
        ))}
      </ul>
    </SettingsSection>
  )
}
