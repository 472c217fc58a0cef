import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { cache } from './data/cache.ts'
import { App } from './frame/app.tsx'
import { beginning } from './frame/begin.ts'
import { Guard } from './frame/fault.tsx'
import { Unfetched } from './parts/part.ts'

/** What was not fetched is told on the screen, and is no fault of the code. */
const onCaughtError = (error: unknown) => error instanceof Unfetched || console.error(error)

const root = createRoot(document.getElementById('app')!, { onCaughtError })

/** In short turns, so that a slow machine listens to keys meanwhile. */
const draw = () =>
  startTransition(() =>
    root.render(
      <StrictMode>
        <QueryClientProvider client={cache}>
          <Guard place="">
            <App />
          </Guard>
        </QueryClientProvider>
      </StrictMode>,
    ),
  )

void beginning(location).then(draw)
