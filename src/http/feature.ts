/**
 * What a feature declares about itself. `src/app/features.ts` lists the features and knows nothing inside them. Nest
 * modules are loaded on demand: threads that project need events and projections only.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Provider, Type } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { EventKinds } from '../domain/decider.js';
import type { Projection } from '../foundation/projections/projection.js';

export interface Feature {
  /** Every event type of the feature's aggregates, with its kind. */
  readonly events?: EventKinds;
  readonly projections?: readonly Projection[];
  /** Nest module with command and query handlers, for the server and for the command line. */
  readonly module?: Lazy<Type>;
  /** Handlers that need nothing but what all features share and what modules export. */
  readonly handlers?: readonly Lazy<Type>[];
  readonly controllers?: readonly Lazy<Type>[];
  /** What else only a server has. */
  readonly server?: Lazy<ServerPart>;
}

/** `async () => (await import('./x.controller.js')).XController` */
export type Lazy<T> = () => Promise<T>;

/** Providers of all features share one Nest module, so a feature may inject what a feature below it provides. */
export interface ServerPart {
  /** Process managers and timers among them: they run while the server does. */
  readonly providers?: readonly Provider[];
  /** Installed before any route is declared. */
  readonly gates?: readonly Type<FastifyExtension>[];
  /** Installed behind the hooks that all replies go through. */
  readonly routes?: readonly Type<FastifyExtension>[];
  /** Asked before the routing, in the order of the features. */
  readonly earlyResponders?: readonly Type<EarlyResponder>[];
}

export interface FastifyExtension {
  install(fastify: FastifyInstance): void | Promise<void>;
}

/** Answers some requests before the routing, which costs more than their answer. */
export interface EarlyResponder {
  /** Returns false, with nothing done, for requests that need the router. */
  serve(request: IncomingMessage, response: ServerResponse, pipeline: EarlyPipeline): boolean;
  /** From now on the router answers everything: it closes connections as it answers. */
  stop?(): void;
}

export interface EarlyPipeline {
  /** Hands the request to the router after all. */
  readonly ordinary: RequestListener;
  /** Records a request that was answered early. */
  readonly answered: (status: number, milliseconds: number) => void;
  /** Whether every request is to have its line in the log, with the route's details. */
  readonly isVerbose: boolean;
}

/** Told of each answered request. Injection token: REQUEST_OBSERVER. */
export interface RequestObserver {
  note(
    request: IncomingMessage,
    answer: { readonly address: string; readonly status: number; readonly milliseconds: number },
  ): void;
}

export const REQUEST_OBSERVER = Symbol('RequestObserver');
