import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { cache } from './data/cache.ts'
import { App } from './frame/app.tsx'
import { Guard } from './frame/fault.tsx'
import { Unfetched } from './frame/part.ts'

/** What was not fetched is told on the screen, and is no fault of the code. */
const onCaughtError = (error: unknown) => error instanceof Unfetched || console.error(error)

createRoot(document.getElementById('app')!, { onCaughtError }).render(
  <StrictMode>
    <QueryClientProvider client={cache}>
      <Guard place="">
        <App />
      </Guard>
    </QueryClientProvider>
  </StrictMode>,
)
