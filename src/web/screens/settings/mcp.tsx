import { Link } from 'wouter'
import { patchQuery, useCache, useOperation, useOperationMutation } from '../../data/cache.ts'
import { callOperation, newIdempotencyKey } from '../../data/client.ts'
import { Programs } from '../../entities/agent/programs.tsx'
import { mayConnect } from '../../entities/user/me.ts'
import { Copy } from '../../kit/copy.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { showError, showToast } from '../../kit/toasts.tsx'
import { rich, t } from '../../messages/t.ts'
import { CreateForm } from './create-form.tsx'
import { CredentialLine } from './credential-line.tsx'
import type { PartProps } from './part-props.ts'
import { SettingsPage, SettingsSection } from './parts.tsx'

const LIST = { limit: 50 } as const

/** Creates access tokens for assistants that work in the user's name. */
export default function Mcp({ me }: PartProps) {
  const cache = useCache()
  const { mcp_url } = me.server
  return (
    <SettingsPage
      title={t('settings.mcp')}
      about={
        <>
          {t('settings.most_clients_need_only_this_address')}
          {mayConnect(me) && ' '}
          {mayConnect(me) &&
            rich('settings.to_give_it_its_own_name_link', {
              link: <Link href="?connect=">{t('settings.connect_it_as_an_agent')}</Link>,
            })}
        </>
      }
    >
      <SettingsSection
        title={t('settings.connect_by_address')}
        about={rich('settings.the_client_opens_your_browser_link', {
          link: <Link href="/settings/apps">{t('settings.connected_apps')}</Link>,
        })}
      >
        <Copy label={t('settings.address')} text={mcp_url} />
        <Copy
          label={t('settings.claude_code_command')}
          text={`claude mcp add --transport http corkboard ${mcp_url}`}
        />
      </SettingsSection>
      <SettingsSection
        title={t('settings.connect_with_a_token')}
        about={t('settings.a_token_is_for_clients_without_a_browser')}
      >
        <CreateForm
          kind="token"
          placeholder={t('common.claude_on_my_laptop')}
          ownScopes={me.permissions}
          createSecret={async (input) => {
            const created = await callOperation('access_tokens.create', input, {
              key: newIdempotencyKey(),
            })
            void cache.invalidateQueries({ queryKey: ['access_tokens.list'] })
            return created
          }}
          renderSecret={({ token }, onCopied) => (
            <>
              <Copy label={t('settings.token_name')} text={token} onCopied={onCopied} />
              <Programs url={mcp_url} token={token} onCopied={onCopied} />
            </>
          )}
        />
      </SettingsSection>
      <Tokens />
    </SettingsPage>
  )
}

function Tokens() {
  const list = useOperation('access_tokens.list', LIST)
  const { data } = list
  const { mutate } = useOperationMutation('access_tokens.revoke', {
    optimistic: ({ access_token_id }) =>
      patchQuery('access_tokens.list', LIST, (current) => ({
        ...current,
        items: current.items.filter((one) => one.access_token_id !== access_token_id),
      })),
    onDone: ({ name }) => showToast(t('settings.revoked_name', { name })),
    onFailed: showError,
  })
  return (
    <SettingsSection title={t('settings.your_tokens')}>
      <LoadError of={list} what={t('settings.your_tokens_inline')} />
      {data?.items.length === 0 && (
        <p className="none">{t('settings.no_tokens_yet_create_one_above_and')}</p>
      )}
      <ul
        className="list-lines"
        aria-label={t('settings.your_tokens')}
        hidden={!data?.items.length}
      >
        {data?.items.map((one) => (
          <CredentialLine
            key={one.access_token_id}
            credential={one}
            onRevoke={() => mutate({ access_token_id: one.access_token_id })}
          >
            <p>{t('settings.everything_that_uses_it_loses_access_at')}</p>
          </CredentialLine>
        ))}
      </ul>
    </SettingsSection>
  )
}
