import type { UseQueryResult } from '@tanstack/react-query'
import { patchQuery, useCache, useOperation, useOperationMutation } from '../../data/cache.ts'
import { callOperation, newIdempotencyKey, type Output } from '../../data/client.ts'
import { Copy } from '../../kit/copy.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { showError, showToast } from '../../kit/toasts.tsx'
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
      title="API keys"
      about={
        <>
          For programs, scripts and <a href="/docs/manual/cli">the command line</a>. Everything done
          with a key is done in your name.
        </>
      }
    >
      <SettingsSection
        title="New key"
        about={`You can have ${MAX_KEYS} keys at a time${active === undefined ? '' : `; you have ${active || 'none'}`}.`}
      >
        <CreateForm
          what="key"
          placeholder="Backup script"
          lasts
          own={me.permissions}
          make={async (input) => {
            const created = await callOperation('api_keys.create', input, {
              key: newIdempotencyKey(),
            })
            void cache.invalidateQueries({ queryKey: ['api_keys.list'] })
            return created
          }}
          shown={({ key }, onCopied) => (
            <>
              <Copy label="Key" text={key} onCopied={onCopied} />
              <p>Try it:</p>
              <Copy label="Example" text={exampleCommand(me.server.url, key)} onCopied={onCopied} />
            </>
          )}
        />
      </SettingsSection>
      <List list={list} />
    </SettingsPage>
  )
}

const exampleCommand = (url: string, key: string) =>
  `curl -H "Authorization: Bearer ${key}" ${url}/api/v1/user/context`

function List({ list }: { list: UseQueryResult<Keys> }) {
  const { data } = list
  const { act } = useOperationMutation('api_keys.revoke', {
    optimistic: ({ api_key_id }) =>
      patchQuery('api_keys.list', LIST, (now) => ({
        ...now,
        items: now.items.filter((one) => one.api_key_id !== api_key_id),
      })),
    onDone: ({ name }) => showToast(`Revoked ${name}`),
    onFailed: showError,
  })
  return (
    <SettingsSection title="Your keys">
      <LoadError of={list} what="your keys" />
      {data?.items.length === 0 && (
        <p className="none">
          No keys yet. <code>cork login</code> and the API need one.
        </p>
      )}
      <ul className="holdings" aria-label="Your keys" hidden={!data?.items.length}>
        {data?.items.map((one) => (
          <CredentialLine
            key={one.api_key_id}
            held={one}
            prefix={one.prefix}
            onRevoke={() => act({ api_key_id: one.api_key_id })}
          >
            <p>Everything that uses it loses access at once. This cannot be undone.</p>
          </CredentialLine>
        ))}
      </ul>
    </SettingsSection>
  )
}
