import type { UseQueryResult } from '@tanstack/react-query'
import { keyOf, useAct, useAsk, useCache } from '../data/cache.ts'
import { ask, newKey, type Output } from '../data/client.ts'
import { say } from '../frame/toasts.tsx'
import { LoadError } from '../parts/load-error.tsx'
import { Copy } from '../start/copy.tsx'
import '../start/connect.css'
import { HeldLine } from './held.tsx'
import { Make } from './make.tsx'
import { failed } from './own.ts'
import { Group, Part } from './parts.tsx'
import type { PartProps } from './screen.tsx'

const LIST = { limit: 50 } as const
const MOST = 10
type Keys = Output<'api_keys.list'>

export default function ApiKeys({ me }: PartProps) {
  const cache = useCache()
  const list = useAsk('api_keys.list', LIST)
  const { data } = list
  const active = data?.items.filter(({ expired }) => !expired).length
  return (
    <Part
      title="API keys"
      about={
        <>
          For programs, scripts and <a href="/docs/manual/cli">the command line</a>. What is done
          with a key is done in your name.
        </>
      }
    >
      <Group
        title="A new key"
        about={`You can have ${MOST} at a time${active === undefined ? '' : `, and have ${active || 'none'}`}.`}
      >
        <Make
          what="key"
          placeholder="Backup script"
          lasts
          own={me.permissions}
          make={async (asked) => {
            const made = await ask('api_keys.create', asked, { key: newKey() })
            void cache.invalidateQueries({ queryKey: ['api_keys.list'] })
            return made
          }}
          shown={({ key }, onCopied) => (
            <>
              <Copy label="Key" text={key} onCopied={onCopied} />
              <p>To try it:</p>
              <Copy label="Example" text={tried(me.server.url, key)} onCopied={onCopied} />
            </>
          )}
        />
      </Group>
      <List list={list} />
    </Part>
  )
}

const tried = (url: string, key: string) =>
  `curl -H "Authorization: Bearer ${key}" ${url}/api/v1/user/context`

function List({ list }: { list: UseQueryResult<Keys> }) {
  const { data } = list
  const cache = useCache()
  const { act } = useAct('api_keys.revoke', {
    ahead({ api_key_id }) {
      const key = keyOf('api_keys.list', LIST)
      const before = cache.getQueryData<Keys>(key)
      const items = before?.items.filter((one) => one.api_key_id !== api_key_id)
      if (before && items) cache.setQueryData(key, { ...before, items })
      return () => void cache.setQueryData(key, before)
    },
    done: ({ name }) => say(`Revoked ${name}`),
    failed,
  })
  return (
    <Group title="Your keys">
      <LoadError of={list} what="your keys" />
      {data?.items.length === 0 && (
        <p className="nothing-yet">
          None yet. <code>cork login</code> asks for one, and so does whatever calls the API.
        </p>
      )}
      <ul className="holdings" aria-label="Your keys" hidden={!data?.items.length}>
        {data?.items.map((one) => (
          <HeldLine
            key={one.api_key_id}
            held={one}
            prefix={one.prefix}
            onRevoke={() => act({ api_key_id: one.api_key_id })}
          >
            <p>Whatever uses it is refused at once. It cannot be brought back.</p>
          </HeldLine>
        ))}
      </ul>
    </Group>
  )
}
