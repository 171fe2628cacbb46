import type { IConfiguration } from 'dependency-cruiser';

export declare const LAYERS: readonly (readonly string[])[];
export declare const INNER_LAYERS: Readonly<Record<string, readonly (readonly string[])[]>>;

declare const configuration: IConfiguration;
export default configuration;
