import { useState } from 'react'
import { useCache, useOperation } from '../../../data/cache.ts'
import { callOperation } from '../../../data/client.ts'
import { LoadError } from '../../../kit/load-error.tsx'
import { showError } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import { AuthenticatorApp } from './authenticator-app.tsx'
import { Passkeys } from './passkeys.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

/** Passkeys, the authenticator app and recovery codes. */
export function SecondFactors() {
  const list = useOperation('factors.list', {})
  const { data: factors } = list
  const reload = useReload()
  const [codes, setCodes] = useState<readonly string[]>()
  const createCodes = async () => {
    try {
      setCodes((await callOperation('recovery_codes.create', {})).codes)
      reload()
    } catch (error) {
      showError(error as Error)
    }
  }
  /** A person with a first factor needs a way in without it. */
  const onAdded = async () => {
    reload()
    if (!factors?.recovery_codes) await createCodes()
  }
  return (
    <>
      <LoadError of={list} what={t('settings.your_second_factors')} />
      {factors && (
        <>
          <Passkeys {...{ factors, reload, onAdded }} />
          <AuthenticatorApp {...{ factors, reload, onAdded }} />
          <RecoveryCodes {...{ factors, codes, createCodes }} onClose={() => setCodes(undefined)} />
        </>
      )}
    </>
  )
}

const QUERIES = ['factors.list', 'user_context.get']

function useReload() {
  const cache = useCache()
  return () => {
    for (const name of QUERIES) void cache.invalidateQueries({ queryKey: [name] })
  }
}
