import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { cache } from './data/cache.ts'
import { startOffline } from './data/offline-start.ts'
import { basePath } from './kit/base-path.ts'
import { ErrorBoundary } from './kit/error-boundary.tsx'
import { ChunkLoadError } from './kit/lazy-component.ts'
import { App } from './shell/app.tsx'
import { loadInitialData } from './shell/screens.ts'

/**
 * A chunk that could not be loaded is reported on the screen; it is no bug, so it is not logged.
 */
const onCaughtError = (error: unknown) => error instanceof ChunkLoadError || console.error(error)

const root = createRoot(document.getElementById('app')!, { onCaughtError })

/** A transition renders in short slices, so that a slow machine still handles keys. */
const render = () =>
  startTransition(() =>
    root.render(
      <StrictMode>
        <QueryClientProvider client={cache}>
          <ErrorBoundary resetKey="">
            <Router base={basePath}>
              <App />
            </Router>
          </ErrorBoundary>
        </QueryClientProvider>
      </StrictMode>,
    ),
  )

startOffline()
void loadInitialData(location).then(render)
