/**
 * What a feature declares about itself. `src/app/features.ts` lists the features and knows nothing inside them.
 * Nest modules are loaded on demand, because projecting threads need only events and projections.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Provider, Type } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { EventKinds } from '../domain/decider.js';
import type { Projection } from '../foundation/projections/projection.js';

export interface Feature {
  /** The streams of the feature's aggregates. Events in other streams under the prefix are passed over. */
  readonly streams?: readonly { readonly name: string }[];
  /** Each event type of the feature's aggregates, with its kind. */
  readonly events?: EventKinds;
  readonly projections?: readonly Projection[];
  /** Nest module with command and query handlers, for the server and for the command line. */
  readonly module?: Lazy<Type>;
  readonly controllers?: readonly Lazy<Type>[];
  /** Further parts that only a server uses. */
  readonly server?: Lazy<ServerPart>;
}

/** Loads a class when it is first needed: `async () => (await import('./x.controller.js')).XController`. */
export type Lazy<T> = () => Promise<T>;

/** Providers of all features share one Nest module, so a feature may inject what a feature below it provides. */
export interface ServerPart {
  /** Includes process managers and timers, which run while the server runs. */
  readonly providers?: readonly Provider[];
  /** Installed before any route is declared. */
  readonly gates?: readonly Type<FastifyExtension>[];
  /** Installed after the hooks that all replies pass. */
  readonly routes?: readonly Type<FastifyExtension>[];
  /** Worker threads, which start with the server. */
  readonly threads?: readonly Type<{ start(): Promise<void> }>[];
  /** Called before the router, in the order of the features. */
  readonly earlyResponders?: readonly Type<EarlyResponder>[];
}

export interface FastifyExtension {
  install(fastify: FastifyInstance): void | Promise<void>;
}

/** Answers some requests before the router, which costs more than their answer. */
export interface EarlyResponder {
  /** Returns false, with nothing done, for requests that need the router. */
  serve(request: IncomingMessage, response: ServerResponse, pipeline: EarlyPipeline): boolean;
  /**
   * Stops early answers: from now on the router answers all requests, because it closes connections at
   * shutdown.
   */
  stop?(): void;
}

export interface EarlyPipeline {
  /** Hands the request back to the router. */
  readonly ordinary: RequestListener;
  /** Records a request that was answered early. */
  readonly answered: (status: number, milliseconds: number) => void;
  /** Whether each request is logged, with the details of its route. */
  readonly isVerbose: boolean;
  /** Whether the request came by https, as the routed `request.protocol` says it: for `safetyHeaders`. */
  readonly isHttps: (request: IncomingMessage) => boolean;
}

/** Called after each answered request. Injection token: REQUEST_OBSERVER. */
export interface RequestObserver {
  note(
    request: IncomingMessage,
    answer: { readonly address: string; readonly status: number; readonly milliseconds: number },
  ): void;
}

export const REQUEST_OBSERVER = Symbol('RequestObserver');
