import { Suspense, useEffect } from 'react'
import { onVerification } from '../../data/client.ts'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { createStore } from '../../kit/store.ts'

const VerifyDialog = lazyComponent(() => import('./verify-dialog.tsx'))

interface Request {
  resolve(isVerified: boolean): void
}
const request = createStore<Request | undefined>(undefined)

/** Several refused operations share one dialog. */
let answer: Promise<boolean> | undefined
function askUser(): Promise<boolean> {
  answer ??= new Promise<boolean>((resolve) => request.set({ resolve })).finally(() => {
    answer = undefined
    request.set(undefined)
  })
  return answer
}

/** Shows a dialog when an operation is refused until the user confirms who they are. */
export function Verification({ email }: { email: string }) {
  const open = request.use()
  useEffect(() => {
    onVerification(askUser)
    return () => onVerification(async () => false)
  }, [])
  if (!open) return null
  return (
    <Suspense>
      <VerifyDialog email={email} onClose={open.resolve} />
    </Suspense>
  )
}
