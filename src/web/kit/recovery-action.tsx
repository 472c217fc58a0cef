import { useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import { Link } from 'wouter'
import { t } from '../messages/t.ts'
import { useShownError } from './shown-errors.ts'

interface Props {
  /** The thing does not exist, as opposed to a request that failed. */
  isUnknown: boolean
  error?: Error | null | undefined
}

/** What to do on a screen that cannot be shown: go home if it does not exist, otherwise retry. */
export function RecoveryAction({ isUnknown, error }: Props) {
  useShownError(error)
  return isUnknown ? (
    <Link href="/" className="button plain">
      {t('kit.go_to_your_board')}
    </Link>
  ) : (
    <Retry />
  )
}

function Retry() {
  const cache = useQueryClient()
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const element = button.current
    return () => {
      // The button disappears with the error; the focus moves to the screen.
      if (element === document.activeElement) document.getElementById('main')?.focus()
    }
  }, [])
  return (
    <button
      ref={button}
      type="button"
      className="button plain"
      onClick={() => void cache.refetchQueries({ type: 'active' })}
    >
      {t('kit.retry')}
    </button>
  )
}
