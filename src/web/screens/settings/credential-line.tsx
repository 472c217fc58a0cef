import type { ReactNode } from 'react'
import { useOperation } from '../../data/cache.ts'
import { agoText } from '../../kit/dates.ts'
import { rich, t } from '../../messages/t.ts'
import { DangerDialog, ListLine } from './parts.tsx'
import { scopesList, scopesText } from './scopes.tsx'

interface Credential {
  name: string
  scopes: readonly string[] | null
  created_at: string
  last_used_at: string | null
  expires_at: string | null
  expired: boolean
  parent_id: number | null
}

interface Props {
  credential: Credential
  /** The first characters of the key, to tell keys apart. */
  prefix?: string
  /** What stops working when it is revoked. */
  children: ReactNode
  onRevoke(): void
}

/** A key or token in a list, without its secret. */
export function CredentialLine({ credential, prefix, children, onRevoke }: Props) {
  const { name, scopes, created_at, last_used_at, expires_at, expired, parent_id } = credential
  const parent = useParent(parent_id)
  return (
    <ListLine
      isExpired={expired}
      name={
        <>
          <bdi>{name}</bdi>
          {prefix && <code>{prefix}…</code>}
        </>
      }
      meta={[
        <TimeAgo key="made" event="created" at={created_at} />,
        last_used_at ? (
          <TimeAgo key="used" event="used" at={last_used_at} />
        ) : (
          t('settings.never_used')
        ),
        parent && (
          <span key="parent" title={t('settings.ends_when_that_one_ends')}>
            {rich('settings.created_with_parent', { parent: <bdi>{parent}</bdi> })}
          </span>
        ),
        expires_at && <ExpiresAt key="ends" at={expires_at} isExpired={expired} />,
        <span key="may" title={scopesList(scopes)}>
          {scopesText(scopes)}
        </span>,
      ]}
    >
      <DangerDialog
        name={expired ? t('settings.remove') : t('settings.revoke')}
        of={name}
        run={onRevoke}
      >
        {expired ? <p>{t('settings.it_has_expired_and_no_longer_works')}</p> : children}
      </DangerDialog>
    </ListLine>
  )
}

const LIST = { limit: 50 } as const

/** The name of the credential that this one was created with. */
function useParent(parent_id: number | null): string | undefined {
  const enabled = parent_id !== null
  const keys = useOperation('api_keys.list', LIST, { enabled })
  const tokens = useOperation('access_tokens.list', LIST, { enabled })
  const apps = useOperation('grants.list', {}, { enabled })
  if (!enabled) return undefined
  const key = keys.data?.items.find((one) => one.api_key_id === parent_id)
  const token = tokens.data?.items.find((one) => one.access_token_id === parent_id)
  const app = apps.data?.apps.find((one) => one.grant_id === parent_id)
  return (key ?? token ?? app)?.name ?? t('settings.credential_id', { id: parent_id })
}

/** A relative time, with the exact time on hover. */
export function TimeAgo({ event, at }: { event: 'created' | 'used' | 'read'; at: string }) {
  const { short, full } = agoText(at)
  const texts = {
    created: t('settings.created_short', { short }),
    used: t('settings.used_short', { short }),
    read: t('settings.read_short', { short }),
  }
  return (
    <time dateTime={at} title={full}>
      {texts[event]}
    </time>
  )
}

const DAY_MS = 24 * 60 * 60 * 1000

export function ExpiresAt({ at, isExpired }: { at: string; isExpired: boolean }) {
  const days = Math.ceil((Date.parse(at) - Date.now()) / DAY_MS)
  const text = isExpired
    ? t('settings.expired_short', { short: agoText(at).short })
    : days <= 1
      ? t('settings.expires_within_a_day')
      : t('settings.expires_in_days_days', { days })
  return (
    <time dateTime={at} title={agoText(at).full}>
      {text}
    </time>
  )
}
